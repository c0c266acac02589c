'use client'
/* Owns what the page derives from the graph and the address, each part once: filter, shown edges, selection, focus.
   Invariant: a part changes only when what it is made of does, so that moving figures or the camera redraws no edge. */
import { useDeferredValue, useMemo } from 'react'
import type { GraphView } from '@/lib/contract/graph'
import { filterOf, type GraphAddress } from '@/lib/view/graph-address'
import { bridges } from '@/lib/view/graph-bridges'
import { circleScale, circlesOf, type GraphWorld, shownPairs } from '@/lib/view/graph-circles'
import { EDGE_KINDS, incidence, shownEdges, startingFilter } from '@/lib/view/graph-edges'
import { focusOf } from '@/lib/view/graph-focus'
import { graphHues } from '@/lib/view/graph-hues'
import { closedIslands, isCollapsed, openIsland } from '@/lib/view/graph-world'

const numbers = (text: string) => (text === '' ? [] : text.split(',').map(Number))

export function useGraphModel(graph: GraphView, address: GraphAddress) {
  const { edges, environments } = graph
  const { id, environment } = graph.nodes
  const { hops, min } = address
  const indexOf = useMemo(() => new Map(id.map((one, i) => [one, i])), [id])
  const links = useMemo(() => ({ edges, environment }), [edges, environment])
  const incident = useMemo(() => incidence(environment.length, edges), [environment, edges])
  const collapsed = isCollapsed(graph, address)
  // the edges around one task, and pairs, are few, and an open island's are cut to the strongest: these start at none
  const isAround = address.task !== null && hops !== null
  const graphLevel = graph.level
  const starting = useMemo(() => {
    const all = { on: true, min: 0 }
    if (isAround) return { within: all, cross: all }
    const filter = startingFilter(edges)
    return collapsed ? { within: graphLevel === 'environments' ? all : filter.within, cross: all } : filter
  }, [edges, collapsed, isAround, graphLevel])

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

  const selected = address.task === null ? null : (indexOf.get(address.task) ?? null)
  const open = collapsed ? openIsland(graph, address, selected) : null
  const closedText = [...closedIslands(graph, address, open)].join()
  const closed = useMemo(() => new Set(numbers(closedText)), [closedText])
  const unseen = useMemo(() => new Set([...hidden, ...closed]), [hidden, closed])

  const later = useDeferredValue(filter)
  const isPartly = closed.size > 0
  const shown = useMemo(() => shownEdges(links, later, unseen, isPartly), [links, later, unseen, isPartly])
  const count = environments.length
  const spans = useMemo(
    () => (shown.bridged ? bridges(links, count, later, unseen) : []),
    [shown.bridged, links, count, later, unseen],
  )
  const focus = useMemo(
    () => (selected === null || hops === null ? null : focusOf(graph, incident, selected, hops, later, hidden)),
    [graph, incident, selected, hops, later, hidden],
  )

  const at = closed.size === 0 ? -1 : environments.findIndex((one) => one.id === address.island)
  const island = at === -1 || address.task !== null ? null : at
  const { pairs } = graph
  const lines = useMemo(
    () => (closed.size === 0 ? null : shownPairs({ pairs }, later.cross, hidden, island)),
    [closed, pairs, later.cross, hidden, island],
  )
  const scale = useMemo(() => (closed.size === 0 ? 0 : circleScale(environments)), [closed, environments])
  const world = useMemo<GraphWorld>(
    () => ({
      closed,
      circles: circlesOf(environments, closed, scale),
      pairs: lines?.drawn ?? [],
      own: lines?.own ?? [],
      island,
    }),
    [closed, environments, scale, lines, island],
  )
  return { indexOf, hues, hidden, unseen, filter, shown, selected, focus, spans, open, world, lines }
}
