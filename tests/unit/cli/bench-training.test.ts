import { describe, expect, it } from 'vitest'
import { benchWorld, planOf } from '@/lib/cli/bench-training'

describe('bench-training', () => {
  it('reports each arm on paired seeds in the shape of the JSON', () => {
    const plan = planOf(['--world', 'small', '--arms', 'uniform,env-then-task', '--seeds', '2', '--steps', '12'])!
    const lines: string[] = []
    const report = benchWorld('small', plan, (line) => lines.push(line))
    expect(report.arms.map((arm) => arm.arm)).toEqual(['uniform', 'env-then-task'])
    expect(report).toMatchObject({ name: 'small', steps: 12, seeds: [61, 62], stages: [4, 4], ratioToUniform: null })
    expect(report.target).toBeGreaterThan(0)
    for (const arm of report.arms) {
      expect(arm.seeds).toBe(2)
      expect(Object.keys(arm.stepsToTarget)).toEqual(['median', 'low', 'high'])
      expect(Object.keys(arm.scoreAt)).toEqual(['12'])
      expect(arm.informativeShare > 0 && arm.informativeShare < 1).toBe(true)
      expect(arm.worstEnvironment >= 0).toBe(true)
    }
    expect(lines.length).toBe(4)
    expect(JSON.stringify(report)).not.toContain('NaN')
  })

  it('reaches its own target at or before the last step with single-stage uniform choice', () => {
    const plan = planOf(['--arms', 'uniform', '--seeds', '2', '--steps', '10', '--stages', 'single'])!
    const [uniform] = benchWorld('small', plan, () => undefined).arms
    expect(uniform!.stepsToTarget.high).toBeLessThanOrEqual(10)
  })

  it('refuses wrong flags with a sentence that names the value', () => {
    expect(() => planOf(['--world', 'moon'])).toThrow('moon')
    expect(() => planOf(['--arms', 'luck'])).toThrow('luck')
    expect(() => planOf(['--seeds', '0'])).toThrow('--seeds')
    expect(() => planOf(['--stages', '4'])).toThrow('--stages')
    expect(() => planOf(['--rate', 'x'])).toThrow('--rate')
    expect(() => planOf(['--nonsense'])).toThrow('nonsense')
    expect(planOf(['--help'])).toBeNull()
  })
})
