/**
 * What each scope may do, for the page: read from the table of calls, so that it says what the doors really ask for.
 * Owns: the words and which calls stand for them. Invariant: a row is of calls that need one and the same scope.
 */
import type { Scope } from '@/lib/contract/access'
import { CALLS } from '@/lib/contract/calls'
import type { ScopeRule } from '@/lib/contract/token'

/** Steering has no call: its server actions ask for this scope (a test reads it from them). */
export const STEERING_SCOPE: Scope = 'operate'

const ROWS: { what: string; calls: string[] }[] = [
  { what: 'See pages, export', calls: ['get /runs/{run}/overview', 'get /runs/{run}/exports/{export}', 'get /tokens'] },
  { what: 'Ask for batches, report', calls: ['post /runs/{run}/batches', 'post /runs/{run}/rollouts'] },
  { what: 'Register task sets, start runs', calls: ['post /task-sets', 'post /runs'] },
  { what: 'Finish or fail a run', calls: ['patch /runs/{run}'] },
  { what: 'Save and restore state', calls: ['get /runs/{run}/state', 'put /runs/{run}/state'] },
  { what: 'Import files', calls: ['post /imports'] },
  { what: 'Drop text, delete', calls: ['patch /runs/{run}/keep', 'delete /runs/{run}'] },
  { what: 'Set where alarms are sent', calls: ['put /runs/{run}/webhook', 'post /runs/{run}/webhook/test'] },
  { what: 'Make and revoke tokens', calls: ['post /tokens', 'delete /tokens/{token}'] },
]

export function scopeRules(): ScopeRule[] {
  const needed = new Map(CALLS.map((call) => [`${call.method} ${call.path}`, call.scope]))
  const rules = ROWS.flatMap(({ what, calls }): ScopeRule[] => {
    // a call that this version does not have says nothing
    const scopes = [...new Set(calls.flatMap((call) => needed.get(call) ?? []))]
    const [scope] = scopes
    if (scopes.length > 1) throw new Error(`"${what}" stands for calls of several scopes: ${scopes.join(', ')}`)
    return scope === undefined ? [] : [{ what, scope }]
  })
  const steering = { what: 'Steer, pause, rename', scope: STEERING_SCOPE }
  const before = rules.findIndex(({ scope }) => scope === 'operate')
  return before < 0 ? [...rules, steering] : [...rules.slice(0, before), steering, ...rules.slice(before)]
}
