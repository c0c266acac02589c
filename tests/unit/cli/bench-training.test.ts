import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bench, planOf, reportsOf } from '@/lib/cli/bench-training'
import { codeFingerprint, readBook } from '@/lib/cli/bench-training-file'
import { markdown } from '@/lib/cli/bench-training-markdown'
import { fillBook } from '@/lib/cli/bench-training-run'
import { table } from '@/lib/cli/bench-training-table'
import { uniform } from '@/lib/testbed/schedulers/uniform'
import { train } from '@/lib/testbed/training'
import { emptyBook } from '@/lib/testbed/training-book'
import { makeWorld } from '@/lib/testbed/worlds'

const folder = mkdtempSync(path.join(tmpdir(), 'bench-training-'))
afterAll(() => rmSync(folder, { recursive: true }))
const plan = (flags: string) => planOf(flags.split(' '), folder)!
const quiet = () => undefined

/** A file without what differs between two runs: how long each training took. */
const timeless = (file: string) =>
  readFileSync(path.join(folder, file), 'utf8').replaceAll(/"seconds":[0-9.]+/g, '"seconds":0')

describe('bench-training', () => {
  it('reports each arm on paired seeds in the shape of the JSON', async () => {
    const lines: string[] = []
    const { worlds } = await bench(
      plan('--world small,weak --arms uniform,env-then-task --seeds 2 --steps 12 --threads 1'),
      (line) => lines.push(line),
    )
    expect(worlds.map((world) => world.name)).toEqual(['small', 'weak'])
    for (const report of worlds) {
      expect(report).toMatchObject({ steps: 12, seeds: [61, 62], stages: [4, 4], ratioToUniform: null })
      expect(report.target).toBeGreaterThan(0)
      expect(report.arms.map((arm) => arm.arm)).toEqual(['uniform', 'env-then-task'])
      for (const arm of report.arms) {
        expect(arm.seeds).toBe(2)
        expect(Object.keys(arm.scoreAt)).toEqual(['12'])
        expect(arm.informativeShare > 0 && arm.informativeShare < 1).toBe(true)
        expect(arm.perSeed.map((one) => one.seed)).toEqual([61, 62])
        expect(arm.againstUniform!.pairs).toBe(2)
      }
      expect(table(report)).toContain('env-then-task')
    }
    expect(lines.length).toBe(2 * 2 + 2 * 2 * 2)
    expect(JSON.stringify(worlds)).not.toContain('NaN')
  })

  it('sets the target by the best score of uniform choice with single-stage groups', async () => {
    const book = emptyBook({ steps: 10, stages: 'halves', rate: null })
    await fillBook(book, { worlds: ['small'], arms: [], seeds: [5], threads: 1 }, 'code', quiet)
    const options = { steps: 10, seed: 55, policySeed: 1005, filtered: false }
    const { curve } = train(makeWorld('small', 5), uniform, { ...options, stages: null })
    expect(book.targets[0]!.target).toBe(Math.max(...curve))
    const twoStages = train(makeWorld('small', 5), uniform, { ...options, stages: [4, 4] })
    expect(book.targets[0]!.target).not.toBe(Math.max(...twoStages.curve))
    const { worlds } = await bench(plan('--arms uniform --seeds 2 --steps 10 --stages single --threads 1'), quiet)
    expect(worlds[0]!.arms[0]!.stepsToTarget.high).toBeLessThanOrEqual(10)
  })

  it('goes on where it was stopped, to the same bytes as running through', async () => {
    const flags = '--arms uniform,plr,envsched --steps 3 --threads 1'
    await bench(plan(`${flags} --seeds 3 --out through.json`), quiet)
    await bench(plan(`${flags} --seeds 1 --out resumed.json`), quiet)
    let trainings = 0
    const stop = bench(plan(`${flags} --seeds 3 --out resumed.json`), () => {
      trainings += 1
      if (trainings === 4) throw new Error('stopped')
    })
    await expect(stop).rejects.toThrow('stopped')
    const kept = readBook(path.join(folder, 'resumed.json'))!
    expect(kept.trainings.length).toBe(5)
    const lines: string[] = []
    const { worlds } = await bench(plan(`${flags} --seeds 3 --out resumed.json`), (line) => lines.push(line))
    expect(lines.length).toBe(4)
    expect(timeless('resumed.json')).toBe(timeless('through.json'))
    const resumed = plan('--report resumed.json')
    expect(reportsOf(resumed.report!, resumed)).toEqual(worlds)
    const some = plan('--report --arms plr resumed.json')
    expect(reportsOf(some.report!, some)[0]!.arms.map((arm) => arm.arm)).toEqual(['plr'])
    expect(markdown(worlds)).toContain('| envsched |')
  })

  it('gives the same bytes with two processes as with one', async () => {
    const flags = '--world small,mixed --arms mopps,envsched --seeds 1 --steps 4'
    await bench(plan(`${flags} --threads 1 --out one.json`), quiet)
    await bench(plan(`${flags} --threads 2 --out two.json`), quiet)
    expect(timeless('two.json')).toBe(timeless('one.json'))
  })

  it('passes on what a process could not do', async () => {
    const book = emptyBook({ steps: 3, stages: 'halves', rate: null })
    const unknown = { worlds: ['small'], arms: ['luck', 'chance'], seeds: [1, 2], threads: 2 }
    await expect(fillBook(book, unknown, 'code', quiet)).rejects.toThrow('no arm is called')
  })

  it('counts trainings of other code, and makes them again when asked', async () => {
    const file = path.join(folder, 'stale.json')
    const flags = '--arms uniform --seeds 2 --steps 4 --threads 1 --out stale.json'
    await bench(plan(flags), quiet)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(codeFingerprint(), 'other'))
    expect((await bench(plan(flags), quiet)).stale).toBe(2)
    const lines: string[] = []
    expect((await bench(plan(`${flags} --anew`), (line) => lines.push(line))).stale).toBe(0)
    expect(lines.length).toBe(4)
    expect(readFileSync(file, 'utf8')).not.toContain('other')
  })

  it('refuses files that are not its own or were made under other settings', async () => {
    writeFileSync(path.join(folder, 'text.json'), 'no')
    writeFileSync(path.join(folder, 'foreign.json'), '{"format": 2}')
    await expect(bench(plan('--out text.json'), quiet)).rejects.toThrow('not JSON')
    await expect(bench(plan('--out foreign.json'), quiet)).rejects.toThrow('format')
    await bench(plan('--arms uniform --seeds 1 --steps 3 --threads 1 --out three.json'), quiet)
    await expect(bench(plan('--arms uniform --seeds 1 --steps 4 --out three.json'), quiet)).rejects.toThrow('--steps')
    expect(() => reportsOf([path.join(folder, 'none.json')], plan('--report none.json'))).toThrow('none.json')
  })

  it('refuses wrong flags with a sentence that names the value', () => {
    expect(() => planOf(['--world', 'moon'])).toThrow('moon')
    expect(() => planOf(['--arms', 'luck'])).toThrow('luck')
    expect(() => planOf(['--seeds', '0'])).toThrow('--seeds')
    expect(() => planOf(['--threads', 'two'])).toThrow('--threads')
    expect(() => planOf(['--stages', '4'])).toThrow('--stages')
    expect(() => planOf(['--rate', 'x'])).toThrow('--rate')
    expect(() => planOf(['--nonsense'])).toThrow('nonsense')
    expect(() => planOf(['--report'])).toThrow('file')
    expect(() => planOf(['stray'])).toThrow('stray')
    expect(planOf(['--help'])).toBeNull()
    expect(planOf(['--world', 'all'])!.worlds.length).toBeGreaterThan(12)
  })
})
