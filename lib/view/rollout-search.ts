/* Owns which filters a list of rollouts has and how they are named. Invariant: a value that no filter has is no filter. */

export const STATUS_WORDS: Record<string, string> = {
  ok: 'ok',
  truncated: 'truncated',
  infra_error: 'infra_error',
  verifier_error: 'verifier_error',
  cancelled: 'cancelled',
}

export const REWARD_WORDS: Record<string, string> = {
  solved: 'solved',
  failed: 'failed',
  between: 'in between',
  untrusted: 'untrusted',
}

interface Search {
  q: string | null
  environment: string | null
  task: string | null
  policy: string | null
  status: string | null
  reward: string | null
}

const LONGEST = 200
const matching = (value: string | undefined, form: RegExp) => (value !== undefined && form.test(value) ? value : null)
const among = (value: string | undefined, words: Record<string, string>) =>
  value !== undefined && Object.hasOwn(words, value) ? value : null

/** Filters out of what an address says. */
export function searchOf(said: Partial<Record<keyof Search, string>>): Search {
  const q = said.q?.trim().slice(0, LONGEST) ?? ''
  return {
    q: q === '' ? null : q,
    environment: matching(said.environment, /^e\d{1,9}$/),
    task: matching(said.task, /^t\d{1,9}$/),
    policy: matching(said.policy, /^\d{1,9}$/),
    status: among(said.status, STATUS_WORDS),
    reward: among(said.reward, REWARD_WORDS),
  }
}

export const isFiltered = (search: Search) => Object.values(search).some((value) => value !== null)

/** The page's query for a rollout among what is filtered. */
export function searchQuery({ environment, ...rest }: Search, rollout: string): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...rest, env: environment, rollout })) {
    if (value !== null) params.set(name, value)
  }
  return params.toString()
}

const ERROR_START = 120

/** Filters for the rollouts of an environment that failed with the same first words. */
export function alikeSearch(rollout: {
  error: string | null
  status: string
  task: { environment: { id: string } }
}): Search {
  const line = (rollout.error ?? '').split('\n', 1)[0]?.trim().slice(0, ERROR_START) ?? ''
  return {
    q: line === '' ? null : line,
    environment: rollout.task.environment.id,
    task: null,
    policy: null,
    status: rollout.status === 'ok' ? null : rollout.status,
    reward: null,
  }
}
