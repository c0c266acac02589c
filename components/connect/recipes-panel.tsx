'use client'
/* Owns the recipes: one tab a file that is really there, its code, the whole file to take. */
import { useRef } from 'react'
import { useOrigin } from '@/components/runs/use-origin'
import { useViewParam } from '@/components/shell/use-view-param'
import { CopyButton } from '@/components/ui/copy-button'
import { Panel } from '@/components/ui/panel'
import { NothingState } from '@/components/ui/panel-state'
import type { Recipe } from '@/lib/contract/connect'
import { recipeLines, recipeName } from '@/lib/view/connect-checks'
import { formatCount } from '@/lib/view/format'
import { CodeView } from './code-view'

const HEIGHT = 400
/** as the files name it; this page names its own */
const DEFAULT_ADDRESS = 'http://127.0.0.1:4310'

export function RecipesPanel({ recipes }: { recipes: readonly Recipe[] }) {
  const [chosen, choose] = useViewParam('recipe')
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    recipes.findIndex(({ file }) => file === chosen),
  )
  const origin = useOrigin()
  const recipe = recipes[at]
  if (recipe === undefined)
    return (
      <Panel title="2. Your trainer">
        <NothingState height={HEIGHT} title="No recipe is here">
          The folder of recipes is not beside this server. The client alone is enough: ask, roll out, report.
        </NothingState>
      </Panel>
    )
  const code = origin === null ? recipe.text : recipe.text.replaceAll(DEFAULT_ADDRESS, origin)
  const move = (by: number) => {
    const next = (at + by + recipes.length) % recipes.length
    choose(recipes[next]?.file ?? null)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <Panel title="2. Your trainer" sub={formatCount(recipes.length, 'recipe')}>
      <div className="mb-2 flex items-start gap-2">
        <div ref={list} className="recipe-tabs" role="tablist" aria-label="Trainer">
          {recipes.map(({ file }, i) => (
            <button
              key={file}
              type="button"
              role="tab"
              id={`tab-${file}`}
              aria-controls="recipe"
              aria-selected={i === at}
              tabIndex={i === at ? 0 : -1}
              onClick={() => choose(file)}
              onKeyDown={(event) => {
                if (event.key === 'ArrowRight') move(1)
                if (event.key === 'ArrowLeft') move(-1)
              }}
            >
              {recipeName(file)}
            </button>
          ))}
        </div>
        <CopyButton text={code} label="Copy the file" />
      </div>
      <div role="tabpanel" id="recipe" aria-labelledby={`tab-${recipe.file}`}>
        <p className="mb-[6px] text-ink-2">{recipe.summary}</p>
        <CodeView key={recipe.file} label={`Code of ${recipe.file}`} lines={recipeLines(code)} height={HEIGHT} />
        <p className="mt-[6px] text-12 text-ink-3">
          Barred lines are yours to adapt. The whole file:{' '}
          <a href={`/recipes/${recipe.file}`} download>
            recipes/{recipe.file}
          </a>
          , tested on every release.
        </p>
      </div>
    </Panel>
  )
}
