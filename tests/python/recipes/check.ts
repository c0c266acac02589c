/** Holds what a trainer saw through a recipe against what the server keeps of it: order, leases, whole groups, rewards, versions, errors. */
import { expect } from 'vitest'
import type { BatchDetail, BatchSummary } from '@/lib/contract/batch'
import type { List } from '@/lib/contract/page'
import type { RolloutRow } from '@/lib/contract/rollout'
import type { RunSummary } from '@/lib/contract/run'
import type { TestServer } from '@/tests/support/server'

/** One group as the trainer got it; a reward that its verifier could not tell is null. */
export interface SeenGroup {
  environment: string
  task: string
  lease: string | null
  version: number
  /** of each rollout where they differ from it */
  versions: number[]
  rewards: (number | null)[]
  /** played after the checkpoint that training went back to: the server keeps it, and counts it no more */
  lost: boolean
}

export interface Book {
  groups: SeenGroup[]
  /** tasks of picks that the trainer gave back without a rollout, in their order */
  dropped?: string[]
}

/** What the server counts of a run; what a restore superseded is only numbered. */
export interface Kept {
  run: RunSummary
  batches: BatchDetail[]
  rollouts: RolloutRow[]
  superseded: { batches: number; rollouts: number }
}

const name = ({ environment, task }: { environment: string; task: string }) => `${environment} ${task}`

export async function keptOf(server: TestServer, key: string): Promise<Kept> {
  const run = (await server.api<List<RunSummary>>('/runs')).body.items.find((one) => one.key === key)
  if (run === undefined) throw new Error(`no run has the key ${key}`)
  const summaries = (await server.api<List<BatchSummary>>(`/runs/${run.id}/batches?limit=200`)).body.items
  const indices = summaries.map(({ index }) => index).sort((a, b) => a - b)
  const batches: BatchDetail[] = []
  for (const index of indices) batches.push((await server.api<BatchDetail>(`/runs/${run.id}/batches/${index}`)).body)
  const rollouts = (await server.api<List<RolloutRow>>(`/runs/${run.id}/rollouts?limit=1000`)).body.items
  const [counting, lost] = [batches.filter((batch) => !batch.superseded), rollouts.filter((row) => row.superseded)]
  const superseded = { batches: batches.length - counting.length, rollouts: lost.length }
  return { run, batches: counting, rollouts: rollouts.filter((row) => !row.superseded), superseded }
}

/** The trainer got the server's picks in their order, none twice, and each group came back whole under its lease. */
export function expectFaithful(book: Book, kept: Kept, groupSize: number): void {
  const all = kept.batches.flatMap(({ pickList }) => pickList)
  const reported = new Set(kept.rollouts.map(({ lease }) => lease))
  const [issued, dropped] = [true, false].map((told) => all.filter(({ lease }) => reported.has(lease) === told))
  if (issued === undefined || dropped === undefined) throw new Error('there are two parts')
  expect(dropped.map(({ task }) => task.key)).toEqual(book.dropped ?? [])
  const groups = book.groups.filter((group) => !group.lost)
  expect(groups.map(name)).toEqual(issued.map(nameOfPick))
  expect(kept.superseded.rollouts).toBe((book.groups.length - groups.length) * groupSize)
  const leases = issued.map(({ lease }) => lease)
  expect(new Set(leases).size).toBe(leases.length)
  for (const [at, group] of groups.entries()) {
    const rows = kept.rollouts.filter(({ lease }) => lease === leases[at])
    if (group.lease !== null) expect(group.lease).toBe(leases[at])
    const versions = group.versions.length === 0 ? Array<number>(groupSize).fill(group.version) : group.versions
    expect(rows.map(({ policyVersion }) => policyVersion).sort()).toEqual(versions.toSorted())
    const sorted = (rewards: (number | null)[]) => rewards.map(String).sort()
    expect(sorted(rows.map(({ reward }) => reward))).toEqual(sorted(group.rewards))
    for (const row of rows) expect(row.trusted).toBe(row.reward !== null)
  }
  expect(kept.rollouts).toHaveLength(groups.length * groupSize)
  for (const reward of [0, 1, null]) expect(kept.rollouts.some((row) => row.reward === reward)).toBe(true)
  expect(kept.run.leasesOpen).toBe(0)
}

/** For trainers that chose their own tasks: each batch had the shares that it was told, and its groups came back whole. */
export function expectShares(book: Book & { shares: Record<string, number>[] }, kept: Kept, groupSize: number): void {
  const told = kept.batches.map(({ shares }) =>
    Object.fromEntries(
      (shares ?? []).flatMap(({ environment, picks }) => (picks > 0 ? [[environment.key, picks]] : [])),
    ),
  )
  expect(book.shares).toEqual(told)
  expect(kept.rollouts).toHaveLength(book.groups.length * groupSize)
  for (const group of book.groups) {
    const rows = kept.rollouts.filter(
      ({ task, policyVersion }) =>
        task.key === group.task && task.environment.key === group.environment && policyVersion === group.version,
    )
    expect(rows.map(({ reward }) => String(reward)).sort()).toEqual(group.rewards.map(String).sort())
    for (const row of rows) expect([row.lease, row.trusted]).toEqual([null, row.reward !== null])
  }
}

const nameOfPick = ({ task }: BatchDetail['pickList'][number]) =>
  name({ environment: task.environment.key, task: task.key })
