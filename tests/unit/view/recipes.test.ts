import { describe, expect, it } from 'vitest'
import type { Recipe } from '@/lib/contract/connect'
import { filledIn, hiddenToken, inOrder, recipeKey, recipeLines, recipeName, setupLines } from '@/lib/view/recipes'

const recipe = (file: string): Recipe => ({ file, summary: '', tested: null, text: '' })

describe('recipes', () => {
  it('bar the lines that are yours, without the mark', () => {
    expect(recipeLines('# head\nrun = 1  # yours\n\nlast  # theirs\n')).toEqual([
      { text: '# head', adapt: false, comment: true },
      { text: 'run = 1', adapt: true, comment: false },
      { text: '', adapt: false, comment: false },
      { text: 'last  # theirs', adapt: false, comment: false },
    ])
  })

  it('are named as their trainers are, and by their file where nobody knows them', () => {
    expect(recipeName('loop_envsched.py')).toBe('plain loop')
    expect(recipeName('prime_rl_envsched.py')).toBe('prime-rl')
    expect(recipeName('our_own_envsched.py')).toBe('our own')
    expect(recipeKey('our_own_envsched.py')).toBe('our_own')
  })

  it('come in one order, unknown ones last and by name', () => {
    const files = ['z_envsched.py', 'verl_envsched.py', 'a_envsched.py', 'loop_envsched.py', 'trl_envsched.py']
    expect(inOrder(files.map(recipe)).map(({ file }) => recipeKey(file))).toEqual(['loop', 'verl', 'trl', 'a', 'z'])
    expect(inOrder([])).toEqual([])
  })

  it('give the indented lines of their docstring, and none where there are none', () => {
    const text =
      '"""Hooks it.\n\nTested against it.\n\n    a=1   # why\n    # so\n\n      b: 2\n\nAnd so on.\n    c=3\n"""\n\ndef f():\n    pass\n'
    expect(setupLines(text)).toEqual([
      { text: 'a=1   # why', adapt: false, comment: false },
      { text: '# so', adapt: false, comment: true },
      { text: '', adapt: false, comment: false },
      { text: '  b: 2', adapt: false, comment: false },
      { text: 'c=3', adapt: false, comment: false },
    ])
    expect(setupLines('"""One line."""\n\n    x = 1\n')).toEqual([])
    expect(setupLines('')).toEqual([])
  })

  it('are filled with an address and a token, or left to the shell', () => {
    const text =
      'U = get("http://127.0.0.1:4310")\nT = os.environ.get("ENVSCHED_TOKEN")\nC("http://127.0.0.1:4310/?token=...")\n'
    expect(filledIn(text, null, null)).toBe(text)
    expect(filledIn(text, 'https://host', 'es_rep_1')).toBe(
      'U = get("https://host")\nT = os.environ.get("ENVSCHED_TOKEN", "es_rep_1")\nC("https://host/?token=es_rep_1")\n',
    )
  })

  it('are filled in the lines of a command, too', () => {
    const text = '"""A loop.\n\n    python3 a.py --url http://127.0.0.1:4310 --token TOKEN --steps 20\n"""\n'
    expect(setupLines(filledIn(text, 'http://h', 't'))[0]?.text).toBe(
      'python3 a.py --url http://h --token t --steps 20',
    )
    expect(setupLines(filledIn(text, 'http://h', null))[0]?.text).toContain('--url http://h --token TOKEN')
  })

  it('are filled where a client reads all from the shell', () => {
    const text = 'run = Client().start_run(tasks)\n'
    expect(filledIn(text, null, null)).toBe(text)
    expect(filledIn(text, 'http://h', null)).toBe('run = Client("http://h").start_run(tasks)\n')
    expect(filledIn(text, null, 't')).toBe('run = Client(None, "t").start_run(tasks)\n')
    expect(filledIn(text, 'http://h', 't')).toBe('run = Client("http://h", "t").start_run(tasks)\n')
  })

  it('show a token by its kind and its end', () => {
    expect(hiddenToken('es_rep_abcdefgh7f3a')).toBe(`es_rep_${'•'.repeat(20)}7f3a`)
    expect(hiddenToken('other-token')).toBe(`${'•'.repeat(20)}oken`)
  })
})
