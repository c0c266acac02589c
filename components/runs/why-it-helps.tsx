/* Owns the three cases of a group of eight, for who has not seen a run yet. */
import Link from 'next/link'
import { Panel } from '@/components/ui/panel'

const CASES = [
  {
    solved: [1, 1, 1, 1, 1, 1, 1, 1],
    title: 'All solved.',
    text: 'Every reward equals the mean, so the gradient is zero. 8 rollouts spent.',
  },
  {
    solved: [1, 0, 1, 1, 0, 0, 1, 0],
    title: 'Some solved: informative.',
    text: 'The policy learns what the four did and the other four did not.',
  },
  {
    solved: [0, 0, 0, 0, 0, 0, 0, 0],
    title: 'All failed.',
    text: 'Zero again. Too early; it comes back when its neighbours move.',
  },
]

export function WhyItHelps() {
  return (
    <Panel title="Why it helps" sub="8 rollouts of one task, three cases">
      <div className="grid grid-cols-3 gap-x-7 gap-y-2 max-sm:grid-cols-1">
        {CASES.map((one) => (
          <div key={one.title}>
            <svg
              className="mb-[6px]"
              width="130"
              height="16"
              role="img"
              aria-label={`${one.solved.filter((value) => value === 1).length} of 8 solved`}
            >
              {[0, 1, 2, 3, 4, 5, 6, 7].map((i) => (
                <rect
                  key={i}
                  x={0.75 + i * 16}
                  y=".75"
                  width="12"
                  height="12"
                  fill={one.solved[i] === 1 ? 'var(--text-1)' : 'none'}
                  stroke="var(--text-1)"
                  strokeWidth="1.5"
                />
              ))}
            </svg>
            <p>
              <b className="font-medium">{one.title}</b> <span className="text-ink-2">{one.text}</span>
            </p>
          </div>
        ))}
      </div>
      <p className="mt-[10px]">
        <Link href="/help">How a pick is made, in one picture</Link>
      </p>
    </Panel>
  )
}
