'use client'
/* Owns Help: what a pick is, in five pictures with the numbers of one; the words; where to look; how it works; the keys. */
import Link from 'next/link'
import { useEffect, useState } from 'react'
import { KeyColumns } from '@/components/shell/key-columns'
import { tabPath } from '@/components/shell/run-tabs'
import { Panel } from '@/components/ui/panel'
import { Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import type { RunSummary } from '@/lib/contract/run'
import { formatCount, formatFixed } from '@/lib/view/format'
import { EXPLANATIONS, QUESTIONS, WORDS } from '@/lib/view/help-words'
import type { PickStory } from '@/lib/view/pick-story'
import { PickLoop } from './pick-loop'
import { usePickStory } from './use-pick-story'

function Context({ story }: { story: PickStory | null }) {
  const end = 'No task is tried out beforehand; everything comes from rollouts that were trained on anyway.'
  if (story === null) return <>One turn of the wheel. {end}</>
  const { source } = story
  if (source === null)
    return <>Example numbers, since no run here has chosen a batch yet; with one, they are its own. {end}</>
  return (
    <>
      One turn of the wheel, with the numbers of{' '}
      <Link href={tabPath(source.run, `tasks/${encodeURIComponent(source.task)}`)}>{story.task}</Link> in{' '}
      <Link
        href={`${tabPath(source.run, 'batch')}?batch=${String(source.batch)}&pick=${encodeURIComponent(source.task)}`}
      >
        batch {formatFixed(source.batch, 0)}
      </Link>{' '}
      of {source.runName}. {end}
    </>
  )
}

/** What came back of the pick, once it did. */
function Outcome({ story }: { story: PickStory | null }) {
  const result = story?.result ?? null
  if (story === null || result === null || result.informative === null || result.mean === null) return null
  return (
    <p className="text-12 text-ink-2">
      What came of it: {formatCount(result.trusted, 'trusted rollout')}, mean reward {formatFixed(result.mean, 2)},{' '}
      {result.informative === true ? 'an informative group' : 'all equal, so nothing to learn this time'}.
    </p>
  )
}

function WhereToLook({ run }: { run: RunSummary | null }) {
  return (
    <Panel title="Where to look" sub={run === null ? 'pages of a run open once there is one' : run.name}>
      <table className="tbl" data-rows="small" aria-label="Where to look">
        <tbody>
          {QUESTIONS.map((question) => {
            const path = 'path' in question ? question.path : run === null ? null : tabPath(run.id, question.segment)
            return (
              <tr key={question.page}>
                <td>{question.ask}</td>
                <td className="num">
                  {path === null ? (
                    <span className="text-ink-2">{question.page}</span>
                  ) : (
                    <Link href={path}>{question.page}</Link>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Panel>
  )
}

/** The anchor of the address. It is marked here, since a page that is reached inside the app has no `:target`. */
function useAnchor(): string {
  const [at, setAt] = useState('')
  useEffect(() => {
    const read = () => setAt(decodeURIComponent(window.location.hash.slice(1)))
    read()
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [])
  useEffect(() => {
    if (at !== '') document.getElementById(at)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return at
}

export function HelpPage() {
  const { story, newest } = usePickStory()
  const at = useAnchor()
  const size = story === null ? 8 : story.groupSize
  return (
    <>
      <Verdict context={<Context story={story} />}>
        A pick is a bet that {formatCount(size, 'rollout')} of a task will not all end the same.
      </Verdict>
      <div id="how">
        <Panel title="How a pick is made" sub={story?.source === null ? 'example numbers' : story?.source.runName}>
          <PickLoop story={story} />
          <div className="min-h-4">
            <Outcome story={story} />
          </div>
        </Panel>
      </div>
      <Sheet>
        <Panel title="Words" sub="the same on every page and in the API" span={8}>
          <dl className="words">
            {WORDS.map(({ id, word, text }) => (
              <div key={id} id={id} data-at={at === id ? '' : undefined}>
                <dt>{word}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Panel>
        <div className="col-span-4 min-w-0 max-[1000px]:col-span-12">
          <WhereToLook run={newest} />
        </div>
        <Panel title="How it works" sub="each with an address of its own">
          <div className="explanations">
            {EXPLANATIONS.map(({ id, title, text }) => (
              <section key={id} id={id} aria-label={title} data-at={at === id ? '' : undefined}>
                <h4>
                  <a className="no-underline hover:underline" href={`#${id}`}>
                    {title}
                  </a>
                </h4>
                {text.map((part) => (
                  <p key={part}>{part}</p>
                ))}
              </section>
            ))}
          </div>
        </Panel>
        <Panel title="Keys" sub="single keys can be switched off in the list behind ?">
          <div id="keys">
            <KeyColumns />
          </div>
        </Panel>
      </Sheet>
    </>
  )
}
