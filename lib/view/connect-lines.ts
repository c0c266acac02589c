/* Owns the lines that connect a trainer: the download and the loop. `address` is where this server is reached. */

/** The address without a scheme, as curl takes it. */
function bare(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

export function downloadLine(address: string): string {
  return `curl -O ${bare(address)}/envsched.py`
}

/** What `url` stands for in the loop. */
export function serverUrl(address: string): string {
  return `${address.startsWith('https://') ? 'https' : 'http'}://${bare(address)}`
}

/** A name that no valid token has: "trainer", "trainer 2" and so on. */
export function freeTokenName(taken: readonly string[]): string {
  for (let number = 2, name = 'trainer'; ; number += 1) {
    if (!taken.includes(name)) return name
    name = `trainer ${number}`
  }
}
