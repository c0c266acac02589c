/* Owns the word for a neighbour without a stored edge: "shared", with a hover that names what the evidence goes through. */

/** `through` are the names of the shared things, largest first. */
export function SharedMark({ through }: { through: readonly string[] }) {
  const names = through.length === 0 ? 'what they share' : through.join(', ')
  return (
    <span className="unit" title={`No edge is stored between the two: the evidence goes through ${names}`}>
      shared
    </span>
  )
}
