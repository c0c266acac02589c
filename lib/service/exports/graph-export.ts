/**
 * The graph as GEXF 1.3 and as CSV, for other tools. Pure.
 * Invariant: tasks where the graph holds any, else environments and the pairs between them; hidden islands are left out.
 */
import type { GraphView } from '@/lib/contract/graph'

type Value = string | number | boolean | null
type Line = Record<string, Value>

interface Mark {
  id: string
  label: string
  x: number
  y: number
  values: Line
}

interface Link {
  source: number
  target: number
  weight: number
  kind: string
  edges: number
}

interface Plain {
  marks: (Mark | null)[]
  links: Link[]
}

/** What both forms are written from; a hidden mark is null. `hidden`: environment ids. */
function plainOf(graph: GraphView, hidden: readonly string[]): Plain {
  const { nodes, edges, environments, pairs } = graph
  const isHidden = environments.map(({ id }) => hidden.includes(id))
  if (graph.level === 'environments' && nodes.id.length === 0) {
    return {
      marks: environments.map(({ id, key, x, y, tasks, variance, picks, tried }, i) =>
        isHidden[i] === true
          ? null
          : {
              id,
              label: key,
              x,
              y,
              values: { tasks, meanVariance: tasks > 0 ? variance / tasks : null, picks, tried },
            },
      ),
      links: pairs.a.map((source, i) => ({
        source,
        target: pairs.b[i] ?? 0,
        weight: pairs.weight[i] ?? 0,
        kind: 'cross',
        edges: pairs.edges[i] ?? 0,
      })),
    }
  }
  return {
    marks: nodes.id.map((id, i): Mark | null => {
      const environment = nodes.environment[i] ?? 0
      if (isHidden[environment] === true) return null
      const values = {
        environment: environments[environment]?.key ?? '',
        predictedVariance: nodes.predictedVariance[i] ?? null,
        ability: nodes.ability?.[i] ?? null,
        groups: nodes.groups[i] ?? null,
        picked: nodes.picked[i] ?? null,
      }
      return { id, label: nodes.key[i] ?? '', x: nodes.x[i] ?? 0, y: nodes.y[i] ?? 0, values }
    }),
    links: edges.source.map((source, i) => ({
      source,
      target: edges.target[i] ?? 0,
      weight: edges.weight[i] ?? 0,
      kind: edges.kind[i] ?? 'within',
      edges: 1,
    })),
  }
}

/** XML text: markup as character references; control characters, which XML 1.0 cannot hold, as spaces. */
function xmlText(text: string): string {
  return Array.from(text, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return ' '
    return '&<>"\''.includes(sign) ? `&#${code};` : sign
  }).join('')
}

const typeOf = (value: Value) =>
  typeof value === 'boolean' ? 'boolean' : typeof value === 'string' ? 'string' : 'double'

export function graphToGexf(graph: GraphView, hidden: readonly string[] = []): string {
  const { marks, links } = plainOf(graph, hidden)
  const first = marks.find((mark) => mark !== null)
  const names = Object.entries(first?.values ?? {})
  const marked = marks.flatMap((mark) => {
    if (mark === null) return []
    const values = Object.values(mark.values)
      .map((value, field) => (value === null ? '' : `<attvalue for="${field}" value="${xmlText(String(value))}"/>`))
      .join('')
    return `<node id="${mark.id}" label="${xmlText(mark.label)}"><attvalues>${values}</attvalues><viz:position x="${mark.x}" y="${mark.y}" z="0"/></node>`
  })
  const linked = links.flatMap(({ source, target, weight, kind, edges }, i) => {
    const [from, to] = [marks[source], marks[target]]
    if (from == null || to == null) return []
    return `<edge id="${i}" source="${from.id}" target="${to.id}" weight="${weight}" kind="${kind}"><attvalues><attvalue for="edges" value="${edges}"/></attvalues></edge>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">',
    `<meta><description>EnvSched, as of batch ${graph.batch}, graph version ${graph.version}</description></meta>`,
    '<graph defaultedgetype="undirected"><attributes class="node">',
    ...names.map(([name, value], field) => `<attribute id="${field}" title="${name}" type="${typeOf(value)}"/>`),
    '</attributes><attributes class="edge"><attribute id="edges" title="edges" type="integer"/></attributes><nodes>',
    ...marked,
    '</nodes><edges>',
    ...linked,
    '</edges></graph></gexf>',
  ].join('\n')
}

export function graphEdges(graph: GraphView, hidden: readonly string[] = []): Line[] {
  const { marks, links } = plainOf(graph, hidden)
  return links.flatMap(({ source, target, kind, weight, edges }) => {
    const [from, to] = [marks[source], marks[target]]
    return from == null || to == null ? [] : [{ source: from.label, target: to.label, kind, weight, edges }]
  })
}

export function graphTasks(graph: GraphView, hidden: readonly string[] = []): Line[] {
  return plainOf(graph, hidden).marks.flatMap((mark) =>
    mark === null ? [] : [{ id: mark.id, key: mark.label, ...mark.values }],
  )
}
