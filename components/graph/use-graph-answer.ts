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
import type { Focus } from '@/lib/view/graph-focus'
import { evidenceScene, focusScene, selectedScene, wholeScene } from '@/lib/view/graph-scene'
import { evidenceVerdict, focusVerdict, wholeVerdict } from '@/lib/view/graph-verdict'

export type GraphMode = 'whole' | 'evidence' | 'focus'

export interface Shown {
  indexOf: ReadonlyMap<string, number>
  hidden: ReadonlySet<number>
  selected: number | null
  focus: Focus | null
  spans: Bridge[]
}

function verdictOf(graph: GraphView, { focus, selected }: Shown, evidence: EvidenceView | undefined): string {
  if (focus !== null) return focusVerdict(graph, focus)
  if (selected === null) return wholeVerdict(graph)
  if (evidence !== undefined) return evidenceVerdict(evidence)
  const { key, predictedVariance } = graph.nodes
  return `${key[selected] ?? ''} is predicted at ${formatFixed(predictedVariance[selected] ?? 0, 3)}.`
}

export function useGraphAnswer(run: string, graph: GraphView, shown: Shown) {
  const { indexOf, hidden, selected, focus, spans } = shown
  const task = selected === null ? null : (graph.nodes.id[selected] ?? null)
  const asked = useQuery({ ...evidenceQuery(run, task ?? ''), enabled: task !== null })
  const evidence = task !== null && asked.data?.task.id === task ? asked.data : undefined
  const scene = useMemo(() => {
    if (selected === null) return wholeScene(graph, hidden, spans)
    if (focus !== null) return focusScene(graph, focus, hidden)
    if (evidence === undefined) return selectedScene(graph, selected, hidden)
    return evidenceScene(graph, indexOf, evidence, selected, hidden)
  }, [graph, hidden, spans, focus, evidence, selected, indexOf])
  const mode: GraphMode = selected === null ? 'whole' : focus === null ? 'evidence' : 'focus'
  return {
    mode,
    scene,
    evidence,
    verdict: verdictOf(graph, shown, evidence),
    taskKey: selected === null ? null : (graph.nodes.key[selected] ?? null),
    failure: asked.isError ? asked.error.message : null,
    retry: () => void asked.refetch(),
  }
}
