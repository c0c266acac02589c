/**
 * What a tool does, from its name, its description and its parameters, where the task set does not say.
 * Owns: the open table of verbs. A person's correction replaces `EngineTool.role` before the set gets here.
 * Must never know: which environment a tool belongs to. Invariant: pure, same tool, same role.
 */
import type { EngineTool, Role } from './task-set'

/** Verbs by role. The first word of a name that is in the table decides. */
export const ROLE_VERBS: Readonly<Record<Exclude<Role, 'other'>, readonly string[]>> = {
  read: words(
    'get read view show list fetch retrieve load open check describe display cat ls head tail status info inspect peek pwd download lookup see track monitor history details whoami du wc access authenticate login verify validate',
  ),
  search: words('search find query filter grep browse discover recommend match locate explore rank nearest'),
  create: words(
    'create add new make book insert register place order upload mkdir touch schedule start buy purchase generate reserve subscribe append echo copy cp clone build draft enroll fund mount init follow',
  ),
  update: words(
    'update set edit modify change move rename mv put patch adjust exchange write replace toggle turn enable disable assign resize activate lock unlock press fill engage resolve configure switch mark apply save pay transfer withdraw deposit play pause sort release take heat cool clean goto go cd',
  ),
  delete: words(
    'delete remove cancel rm clear drop close revoke unsubscribe rmdir erase discard stop return refund unfollow logout',
  ),
  compute: words(
    'calculate compute calc sum convert evaluate eval solve estimate mean sqrt think divide multiply subtract power round max min compare diff parse translate count average percentage absolute logarithm standard exec execute run python conversion root statistics',
  ),
  communicate: words(
    'send message email mail reply notify post tweet retweet comment call contact respond say ask share forward alert mention speak chat invite submit escalate',
  ),
}

const GENERIC = new Set(
  words(
    'by for to in of from with the a an all id ids detail details info information list status item items data value values current pending new user_id on at and or my name type number result results',
  ),
)
const STOPS = new Set(words('by for to in from with on at'))
const HUMAN = new Set(words('human humans agent agents support representative'))

const VERB_ROLE = new Map<string, Role>()
for (const [role, verbs] of Object.entries(ROLE_VERBS)) {
  for (const verb of verbs) if (!VERB_ROLE.has(verb)) VERB_ROLE.set(verb, role as Role)
}

function words(text: string): string[] {
  return text.split(' ')
}

/** Words of a name in any of the usual styles, lower case: `getUserDetails`, `get_user-details`, `Files.ls`. */
export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 0)
}

/** The tool's role: as given, else by the first known verb of its name, of its description, by its parameters, else `other`. */
export function roleOf(tool: EngineTool): Role {
  if (tool.role !== null) return tool.role
  const name = nameWords(tool.name)
  if (name.some((word) => HUMAN.has(word)) && name.includes('transfer')) return 'communicate'
  for (const word of name) {
    const role = VERB_ROLE.get(word)
    if (role !== undefined) return role
  }
  for (const word of nameWords(tool.description ?? '').slice(0, 8)) {
    const role = VERB_ROLE.get(word) ?? VERB_ROLE.get(word.replace(/s$/, ''))
    if (role !== undefined) return role
  }
  const parameters = tool.parameters.flatMap(nameWords)
  if (parameters.some((word) => word === 'query' || word === 'keyword' || word === 'keywords')) return 'search'
  if (parameters.some((word) => word === 'message' || word === 'recipient' || word === 'receiver')) return 'communicate'
  if (parameters.some((word) => word === 'expression' || word === 'formula')) return 'compute'
  return 'other'
}

/** The noun a tool works on, singular (`get_reservation_details`: `reservation`), or null where its name has none. */
export function actsOn(name: string): string | null {
  const all = nameWords(name)
  const stop = all.findIndex((word, at) => at > 0 && STOPS.has(word))
  const named = stop < 0 ? all : all.slice(0, stop)
  // Only the first verb is the action: "order" in get_order is a noun.
  const action = named.findIndex((word) => VERB_ROLE.has(word))
  const nouns = named.filter((word, at) => at !== action && !GENERIC.has(word))
  const noun = nouns.at(-1)
  if (noun === undefined || /^\d+$/.test(noun)) return null
  return noun.length > 3 && noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun
}
