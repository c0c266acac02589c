/**
 * The graph as GEXF 1.3 and as CSV edges, for other tools. Pure.
 */
import type { GraphView } from '@/lib/contract/graph'

/** XML text: markup as character references; control characters, which XML 1.0 cannot hold, as spaces. */
function xmlText(text: string): string {
  return Array.from(text, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return ' '
    return '&<>"\''.includes(sign) ? `&#${code};` : sign
  }).join('')
}

export function graphToGexf(graph: GraphView): string {
  const { nodes, edges } = graph
  const nodeLines = nodes.id.map((id, index) => {
    const environment = graph.environments[nodes.environment[index] ?? -1]?.key ?? ''
    const values = [
      environment,
      nodes.predictedVariance[index],
      nodes.ability[index],
      nodes.groups[index],
      nodes.picked[index],
    ]
    const attributes = values
      .map((value, field) => `<attvalue for="${field}" value="${xmlText(String(value))}"/>`)
      .join('')
    return `<node id="${id}" label="${xmlText(nodes.key[index] ?? '')}"><attvalues>${attributes}</attvalues><viz:position x="${nodes.x[index]}" y="${nodes.y[index]}" z="0"/></node>`
  })
  const edgeLines = edges.source.map(
    (source, index) =>
      `<edge id="${index}" source="${nodes.id[source]}" target="${nodes.id[edges.target[index] ?? -1]}" weight="${edges.weight[index]}" kind="${edges.kind[index]}"/>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">',
    '<graph defaultedgetype="undirected"><attributes class="node">',
    '<attribute id="0" title="environment" type="string"/><attribute id="1" title="predictedVariance" type="double"/>',
    '<attribute id="2" title="ability" type="double"/><attribute id="3" title="groups" type="integer"/><attribute id="4" title="picked" type="boolean"/>',
    '</attributes><nodes>',
    ...nodeLines,
    '</nodes><edges>',
    ...edgeLines,
    '</edges></graph></gexf>',
  ].join('\n')
}

export function graphEdges({ nodes, edges }: GraphView): Record<string, unknown>[] {
  return edges.source.map((source, index) => ({
    source: nodes.key[source],
    target: nodes.key[edges.target[index] ?? -1],
    kind: edges.kind[index],
    weight: edges.weight[index],
  }))
}
