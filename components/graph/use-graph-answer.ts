'use client'
/* Owns what is shown of the selection: its evidence when there is one, the scene above the nodes, the verdict.
   Invariant: the evidence is that of the selected task, never of the one before. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { evidenceQuery } from '@/lib/client/task'
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphView } from '@/lib/contract/graph'
import { formatFixed } from '@/lib/view/format'
import type { Bridge } from '@/lib/view/graph-bridges'
import type { GraphWorld } from '@/lib/view/graph-circles'
import type { Focus } from '@/lib/view/graph-focus'
import { evidenceScene, focusScene, selectedScene, wholeScene } from '@/lib/view/graph-scene'
import { circlesVerdict, evidenceVerdict, focusVerdict, wholeVerdict } from '@/lib/view/graph-verdict'

export type GraphMode = 'whole' | 'evidence' | 'focus'

export interface Shown {
  indexOf: ReadonlyMap<string, number>
  /** environments whose tasks are not drawn: hidden, or circles */
  unseen: ReadonlySet<number>
  world: GraphWorld
  selected: number | null
  focus: Focus | null
  spans: Bridge[]
}

function verdictOf(graph: GraphView, { focus, selected, world }: Shown, evidence: EvidenceView | undefined): string {
  if (focus !== null) return focusVerdict(graph, focus)
  if (selected === null) return world.closed.size > 0 ? circlesVerdict(graph) : wholeVerdict(graph)
  if (evidence !== undefined) return evidenceVerdict(evidence)
  const { key, predictedVariance } = graph.nodes
  return `${key[selected] ?? ''} is predicted at ${formatFixed(predictedVariance[selected] ?? 0, 3)}.`
}

/** `batch` null = now. */
export function useGraphAnswer(run: string, graph: GraphView, shown: Shown, batch: number | null) {
  const { indexOf, unseen, selected, focus, spans } = shown
  const task = selected === null ? null : (graph.nodes.id[selected] ?? null)
  const asked = useQuery({ ...evidenceQuery(run, task ?? '', batch), enabled: task !== null })
  const evidence = task !== null && asked.data?.task.id === task ? asked.data : undefined
  const scene = useMemo(() => {
    if (selected === null) return wholeScene(graph, unseen, spans)
    if (focus !== null) return focusScene(graph, focus, unseen)
    if (evidence === undefined) return selectedScene(graph, selected, unseen)
    return evidenceScene(graph, indexOf, evidence, selected, unseen)
  }, [graph, unseen, spans, focus, evidence, selected, indexOf])
  const mode: GraphMode = selected === null ? 'whole' : focus === null ? 'evidence' : 'focus'
  return {
    mode,
    scene,
    evidence,
    verdict: verdictOf(graph, shown, evidence),
    taskKey: selected === null ? null : (graph.nodes.key[selected] ?? null),
    /** the evidence of another batch stands in while this one's is read */
    isReading: asked.isFetching && asked.isPlaceholderData,
    failure: asked.isError ? asked.error.message : null,
    retry: () => void asked.refetch(),
  }
}
