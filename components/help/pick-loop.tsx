/* Owns the loop: five pictures in a row, an arrow between, and the way back to the first. */
import { Fragment, type ReactNode } from 'react'
import { formatCount, formatFixed } from '@/lib/view/format'
import type { PickStory } from '@/lib/view/pick-story'
import { EvidencePicture, PicksPicture, RolloutsPicture, TermsPicture, VariancePicture } from './pick-pictures'

interface Step {
  title: string
  text: string
  picture: (story: PickStory) => ReactNode
}

function stepsOf(story: PickStory | null): Step[] {
  const size = story === null ? 8 : story.groupSize
  const picks = story === null ? 'Tasks' : formatFixed(story.picks.size, 0)
  return [
    {
      title: 'Rollouts come back',
      text: 'Each task was tried several times. Where some succeed and some fail, the policy has something to learn.',
      picture: (one) => <RolloutsPicture story={one} />,
    },
    {
      title: 'Evidence travels',
      text: 'A task lends what it knows to tasks of the same environment (solid) and of the same pattern elsewhere (dashed).',
      picture: (one) => <EvidencePicture story={one} />,
    },
    {
      title: 'Variance is predicted',
      text: `For every task, tried or not: how uneven will the next ${String(size)} rewards be? Half solved is the best there is; what is not known takes off.`,
      picture: (one) => <VariancePicture story={one} />,
    },
    {
      title: 'Terms make a score',
      text: 'What pays off, plus what was seen too little, minus what repeats.',
      picture: (one) => <TermsPicture story={one} />,
    },
    {
      title: `${picks} ${story?.picks.size === 1 ? 'is' : 'are'} picked`,
      text: 'The best score first; scores fall for what resembles a pick; quotas hold over a window. A part is drawn uniformly.',
      picture: (one) => <PicksPicture story={one} />,
    },
  ]
}

export function PickLoop({ story }: { story: PickStory | null }) {
  const size = story === null ? 8 : story.groupSize
  return (
    <>
      <div className="loop">
        {stepsOf(story).map((step, i) => (
          <Fragment key={String(i)}>
            {i > 0 && (
              <svg className="loop-arrow" width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
                <path d="M0 6H12M8 2l4 4-4 4" />
              </svg>
            )}
            <div className="loop-step">
              <div className="loop-picture">{story !== null && step.picture(story)}</div>
              <h4>
                <span className="loop-number">{i + 1}</span>
                {step.title}
              </h4>
              <p>{step.text}</p>
            </div>
          </Fragment>
        ))}
      </div>
      <div className="loop-back">
        <svg width="12" height="14" viewBox="0 0 12 14" aria-hidden="true">
          <path d="M6 14V2M2 6l4-4 4 4" />
        </svg>
        <span>the trainer rolls each pick out {formatCount(size, 'time')}, learns, and reports: back to 1</span>
      </div>
    </>
  )
}
