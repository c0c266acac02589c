import { describe, expect, test } from 'vitest'
import { RunQueue, type Turn } from '@/lib/service/run-queue'

/** A queue whose first call of run "r" waits until `free` is called; `order` tells who came when. */
function held() {
  const queue = new RunQueue()
  const order: string[] = []
  let free = () => {}
  const gate = new Promise<void>((resolve) => {
    free = resolve
  })
  const first = queue.run('r', () => gate)
  const add = (name: string, turn?: Turn) =>
    queue.run(
      'r',
      async () => {
        order.push(name)
        return name
      },
      turn,
    )
  return { queue, order, add, free: () => free(), first }
}

describe('run queue', () => {
  test('changes go before looks that wait, each kind in its order', async () => {
    const { queue, order, add, free } = held()
    const all = [add('a', 'look'), add('b', 'change'), add('c', 'look'), add('d')]
    free()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
    await queue.idle()
    expect(order).toEqual(['b', 'd', 'a', 'c'])
  })

  test('a look is not starved by changes', async () => {
    const { order, add, free } = held()
    const all = [add('look', 'look'), ...Array.from({ length: 20 }, (_, k) => add(`${k}`))]
    free()
    await Promise.all(all)
    // the call that held the queue was a change, too
    expect(order.indexOf('look')).toBe(7)
  })

  test('one at a time, and a failed call blocks nothing', async () => {
    const queue = new RunQueue()
    let going = 0
    let most = 0
    const call = (fails: boolean) =>
      queue.run('r', async () => {
        going += 1
        most = Math.max(most, going)
        await new Promise((resolve) => setTimeout(resolve, 1))
        going -= 1
        if (fails) throw new Error('broken')
        return 1
      })
    const settled = await Promise.allSettled([call(false), call(true), call(false)])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(most).toBe(1)
  })

  test('runs do not wait for each other, and idle waits for all', async () => {
    const { queue, order, add, free, first } = held()
    const waiting = add('same run')
    expect(await queue.run('other', async () => 'other')).toBe('other')
    expect(order).toEqual([])
    free()
    await queue.idle()
    expect(order).toEqual(['same run'])
    await Promise.all([first, waiting])
    await queue.idle()
  })
})
