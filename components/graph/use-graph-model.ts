'use client'
/* Owns what the page derives from the graph and the address, each part once: filter, shown edges, selection, focus.
   Invariant: a part changes only when what it is made of does, so that moving figures or the camera redraws no edge. */
import { useDeferredValue, useMemo } from 'react'
import type { GraphView } from '@/lib/contract/graph'
import { filterOf, type GraphAddress } from '@/lib/view/graph-address'
import { bridges } from '@/lib/view/graph-bridges'
import { EDGE_KINDS, incidence, shownEdges, startingFilter } from '@/lib/view/graph-edges'
import { focusOf } from '@/lib/view/graph-focus'
import { graphHues } from '@/lib/view/graph-hues'

const numbers = (text: string) => (text === '' ? [] : text.split(',').map(Number))

export function useGraphModel(graph: GraphView, address: GraphAddress) {
  const { edges, environments } = graph
  const { id, environment } = graph.nodes
  const { hops, min } = address
  const indexOf = useMemo(() => new Map(id.map((one, i) => [one, i])), [id])
  const links = useMemo(() => ({ edges, environment }), [edges, environment])
  const incident = useMemo(() => incidence(environment.length, edges), [environment, edges])
  const starting = useMemo(() => startingFilter(edges), [edges])

  const huesText = graphHues(environments).join()
  const hues = useMemo(() => numbers(huesText), [huesText])
  const hiddenText = address.hidden
    .map((one) => environments.findIndex((island) => island.id === one))
    .filter((i) => i !== -1)
    .join()
  const hidden = useMemo(() => new Set(numbers(hiddenText)), [hiddenText])
  const offText = address.off.join()
  const filter = useMemo(() => {
    const off = EDGE_KINDS.filter((kind) => offText.split(',').includes(kind))
    return filterOf({ min: { within: min.within, cross: min.cross }, off }, starting)
  }, [min.within, min.cross, offText, starting])

  const later = useDeferredValue(filter)
  const shown = useMemo(() => shownEdges(links, later, hidden), [links, later, hidden])
  const count = environments.length
  const spans = useMemo(
    () => (shown.bridged ? bridges(links, count, later, hidden) : []),
    [shown.bridged, links, count, later, hidden],
  )
  const selected = address.task === null ? null : (indexOf.get(address.task) ?? null)
  const focus = useMemo(
    () => (selected === null || hops === null ? null : focusOf(graph, incident, selected, hops, later, hidden)),
    [graph, incident, selected, hops, later, hidden],
  )
  return { indexOf, hues, hidden, filter, shown, selected, focus, spans }
}
