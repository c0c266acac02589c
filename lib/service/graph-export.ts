/**
 * The graph as GEXF 1.3 and as CSV edges, for other tools. Pure.
 */
import type { GraphView } from '@/lib/contract/graph'

const escape = (text: string) =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, ' ')

export function graphToGexf(graph: GraphView): string {
  const { nodes, edges } = graph
  const nodeLines = nodes.id.map((id, index) => {
    const environment = graph.environments[nodes.environment[index] ?? -1]?.key ?? ''
    const values = [environment, nodes.predictedVariance[index], nodes.ability[index], nodes.groups[index], nodes.picked[index]]
    const attributes = values.map((value, field) => `<attvalue for="${field}" value="${escape(String(value))}"/>`).join('')
    return `<node id="${id}" label="${escape(nodes.key[index] ?? '')}"><attvalues>${attributes}</attvalues><viz:position x="${nodes.x[index]}" y="${nodes.y[index]}" z="0"/></node>`
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
