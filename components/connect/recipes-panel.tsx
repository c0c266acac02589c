'use client'
/* Owns the recipes: a tab for each file that is really there, what goes into the trainer's own configuration, the file to copy. */
import { useRef } from 'react'
import { useOrigin } from '@/components/runs/use-origin'
import { useViewParam } from '@/components/shell/use-view-param'
import { CopyButton } from '@/components/ui/copy-button'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import type { Recipe } from '@/lib/contract/connect'
import { formatCount } from '@/lib/view/format'
import { filledIn, hiddenToken, inOrder, recipeKey, recipeLines, recipeName, setupLines } from '@/lib/view/recipes'
import { CodeView } from './code-view'

const HEIGHT = 400

function RecipeTabs({
  files,
  at,
  onChoose,
}: {
  files: readonly string[]
  at: number
  onChoose: (file: string) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  const go = (to: number) => {
    const next = files[(to + files.length) % files.length]
    if (next === undefined) return
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(tabId(next))}`)?.focus()
  }
  return (
    <div ref={list} className="recipe-tabs" role="tablist" aria-label="Trainer">
      {files.map((file, i) => (
        <button
          key={file}
          type="button"
          role="tab"
          id={tabId(file)}
          aria-controls="recipe"
          aria-selected={i === at}
          tabIndex={i === at ? 0 : -1}
          onClick={() => onChoose(file)}
          onKeyDown={(event) => {
            const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
            if (to === undefined) return
            event.preventDefault()
            go(to)
          }}
        >
          {recipeName(file)}
        </button>
      ))}
    </div>
  )
}

const tabId = (file: string) => `tab-${recipeKey(file)}`

/** `shown` and `whole`: the file filled in, the token hidden and not. */
function Setup({ recipe, shown, whole }: { recipe: Recipe; shown: string; whole: string }) {
  const lines = setupLines(shown)
  if (lines.length === 0) return null
  return (
    <div className="recipe-part">
      <div className="recipe-part-head">
        <h4>{recipe.tested === null ? 'To run it' : 'For the trainer'}</h4>
        <CopyButton
          text={setupLines(whole)
            .map(({ text }) => text)
            .join('\n')}
        />
      </div>
      <CodeView label={`Lines for ${recipeName(recipe.file)}`} lines={lines} />
    </div>
  )
}

export function RecipesPanel({ recipes, token }: { recipes: readonly Recipe[]; token: string | null }) {
  const [chosen, choose] = useViewParam('recipe')
  const origin = useOrigin()
  const ordered = inOrder(recipes)
  const at = Math.max(
    0,
    ordered.findIndex(({ file }) => recipeKey(file) === chosen || file === chosen),
  )
  const recipe = ordered[at]
  if (recipe === undefined)
    return (
      <Panel title="2. Your trainer">
        <NothingState height={HEIGHT} title="No recipe is here">
          The folder of recipes is not beside this server. The client alone is enough: ask, roll out, report.
        </NothingState>
      </Panel>
    )
  const shown = filledIn(recipe.text, origin, token === null ? null : hiddenToken(token))
  const whole = filledIn(recipe.text, origin, token)
  return (
    <Panel title="2. Your trainer" sub={formatCount(ordered.length, 'recipe')}>
      <RecipeTabs files={ordered.map(({ file }) => file)} at={at} onChoose={(file) => choose(recipeKey(file))} />
      <div role="tabpanel" id="recipe" aria-labelledby={tabId(recipe.file)}>
        <p className="text-ink-2">{recipe.summary}</p>
        <p className="mt-[2px] mb-2 text-12 text-ink-3">{recipe.tested ?? 'Runs by itself, without any trainer.'}</p>
        <Setup recipe={recipe} shown={shown} whole={whole} />
        <div className="recipe-part">
          <div className="recipe-part-head">
            <h4>{recipe.file}</h4>
            <CopyButton text={whole} label="Copy the file" />
          </div>
          <CodeView key={recipe.file} label={`Code of ${recipe.file}`} lines={recipeLines(shown)} height={HEIGHT} />
        </div>
        <p className="mt-[6px] text-12 text-ink-3">
          Barred lines are yours to adapt. A copy holds this address
          {token === null ? ', and the token once you have made one' : ' and the token that you made'};{' '}
          <a href={`/recipes/${recipe.file}`} download>
            the file as it lies
          </a>{' '}
          reads both from the shell.
        </p>
      </div>
    </Panel>
  )
}
