/**
 * The one error that services throw on purpose: a status, a code and a sentence that says what to do.
 * Anything else that is thrown is a fault of ours: it is logged, and the person reads one neutral sentence.
 */
export interface Issue {
  path: string
  message: string
}

export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly issues: Issue[] = [],
  ) {
    super(message)
    this.name = 'ServiceError'
  }
}

export const notFound = (what: string, id: string) => new ServiceError(404, 'not_found', `There is no ${what} "${id}".`)

/** The first issues of a failed zod parse, as one sentence and a list. */
export function invalid(
  what: string,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): ServiceError {
  const list = issues.slice(0, 50).map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
  const first = list[0]
  const where =
    first === undefined ? '' : ` ${first.path === '' ? '' : `${first.path}: `}${first.message.replace(/\.$/, '')}.`
  return new ServiceError(422, 'invalid', `The ${what} cannot be read.${where}`, list)
}
