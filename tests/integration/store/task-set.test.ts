/**
 * Task sets, environments, tasks and edges: written once, read back as they were.
 */
import { describe, expect, it } from 'vitest'
import { edgesOf, insertEdges } from '@/lib/store/edge'
import { insertTasks, taskStructures, tasksByOrdinal } from '@/lib/store/task'
import { createTaskSet, environmentsOf, findTaskSet, insertEnvironments, listTaskSets } from '@/lib/store/task-set'
import { isAvailable, useDatabase } from '@/tests/support/database'
import { NOW, seedTaskSet, taskRow } from '@/tests/support/store-rows'

const counts = { toolCount: 0, withinEdges: 0, crossEdges: 0, patternCount: 0, graphVersion: 0 }
const input = { name: 'n', fingerprint: 'f', createdAt: NOW, environmentCount: 2, taskCount: 12_000, ...counts }

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`task set on ${provider}`, () => {
    const database = useDatabase(provider)

    it('is one for one fingerprint, also when two register at once', async () => {
      const register = () => database().transaction((tx) => createTaskSet(tx, input))
      const results = await Promise.all([register(), register(), register()])
      expect(results.filter((result) => result.created)).toHaveLength(1)
      expect(new Set(results.map((result) => result.taskSet.id)).size).toBe(1)
      expect(await findTaskSet(database().db, results[0]!.taskSet.id)).toEqual(results[0]!.taskSet)
      expect((await listTaskSets(database().db, { limit: 9 })).items).toEqual([{ ...results[0]!.taskSet, runs: 0 }])
    })

    it('keeps environments and 12,000 tasks with payloads of every kind', async () => {
      const payloads = [null, 0, '', false, [], { a: null, n: 1 / 3 }, 'text']
      const tasks = Array.from({ length: 12_000 }, (_, ordinal) =>
        taskRow(ordinal, {
          environment: ordinal % 2,
          payload: payloads[ordinal % payloads.length],
          text: ordinal % 3 === 0 ? null : ordinal % 3 === 1 ? '' : 'find the 100% flight',
          tools: ['a', 'a'],
        }),
      )
      const environments = [0, 1].map((ordinal) => ({
        ordinal,
        key: `suite/${ordinal}`,
        name: '',
        code: `E0${ordinal}`,
        definition: { rewardRange: [0, 1], horizon: null, tools: [] },
        taskCount: 6000,
        x: -0.5,
        y: 0,
        radius: 0,
      }))
      const { taskSet } = await database().transaction(async (tx) => {
        const made = await createTaskSet(tx, input)
        await insertEnvironments(tx, made.taskSet.id, environments)
        await insertTasks(tx, made.taskSet.id, tasks)
        return made
      })
      const { db } = database()
      expect(await environmentsOf(db, taskSet.id)).toEqual(environments)
      const structures = await taskStructures(db, taskSet.id)
      expect(structures).toEqual(tasks.map(({ payload: _, ...structure }) => structure))
      const found = await tasksByOrdinal(
        db,
        taskSet.id,
        tasks.slice(0, 1200).map((task) => task.ordinal),
      )
      expect(found.sort((a, b) => a.ordinal - b.ordinal)).toEqual(tasks.slice(0, 1200))
      expect(await tasksByOrdinal(db, taskSet.id, [12_000])).toEqual([])
      const twice = taskRow(12_000, { environment: 1, key: 'task/7' })
      await expect(database().transaction((tx) => insertTasks(tx, taskSet.id, [twice]))).rejects.toThrow()
    })

    it('keeps edges by version of the graph, in order', async () => {
      const taskSet = await database().transaction((tx) => seedTaskSet(tx))
      const edge = { graphVersion: 1, kind: 'within' as const, source: 0, target: 1, weight: 0.5 }
      const edges = [
        edge,
        { ...edge, kind: 'cross' as const, weight: 0 },
        { ...edge, source: 1, target: 3, weight: 1 / 3 },
      ]
      await database().transaction(async (tx) => {
        await insertEdges(tx, taskSet.id, edges)
        await insertEdges(tx, taskSet.id, [{ ...edge, graphVersion: 0 }])
      })
      const { db } = database()
      expect(await edgesOf(db, taskSet.id, 0)).toEqual([{ ...edge, graphVersion: 0 }])
      expect(await edgesOf(db, taskSet.id, 1)).toEqual([edges[1], edges[0], edges[2]])
      expect(await edgesOf(db, taskSet.id, 2)).toEqual([])
    })
  })
}
