import path from 'node:path'
import { expect, test } from 'vitest'
import { importArguments, serveArguments, UsageError } from '@/lib/cli/arguments'

test('flags of start and demo have their defaults and meanings', () => {
  expect(serveArguments([], {}, false)).toEqual({
    port: null,
    host: '127.0.0.1',
    data: path.resolve('data'),
    open: true,
    steps: null,
    help: false,
  })
  const given = ['--port', '4500', '--no-open', '--steps', '9', '--data', 'here']
  expect(serveArguments(given, { INIT_CWD: '/somewhere' }, true)).toMatchObject({
    port: 4500,
    open: false,
    steps: 9,
    data: path.resolve('/somewhere/here'),
  })
  expect(serveArguments([], { ENVSCHED_DATA: '/kept' }, false).data).toBe('/kept')
})

test.each([
  [['--port', '0'], '--port must be a whole number from 1 to 65535, not "0".'],
  [['--port', 'x'], '--port must be a whole number from 1 to 65535, not "x".'],
  [['--port', ''], '--port must be a whole number from 1 to 65535, not "".'],
  [['--steps', '-3'], '--steps needs a value that does not begin with a dash; --help shows what there is.'],
  [['--steps=-3'], '--steps must be a whole number from 1 to 1000000, not "-3".'],
  [['--steps', '1.5'], '--steps must be a whole number from 1 to 1000000, not "1.5".'],
])('%j is refused in one sentence', (args, message) => {
  expect(() => serveArguments(args, {}, true)).toThrow(new UsageError(message))
})

test('unknown flags are refused and point to the help', () => {
  expect(() => serveArguments(['--prot', '1'], {}, false)).toThrow(UsageError)
  expect(() => serveArguments(['--prot', '1'], {}, false)).toThrow(/--prot.*--help/)
  expect(() => serveArguments(['--steps', '3'], {}, false)).toThrow(UsageError)
})

test('import wants files and reads them from where the person stands', () => {
  expect(() => importArguments([], {})).toThrow('Name at least one file or folder to import.')
  expect(importArguments(['--help'], {}).help).toBe(true)
  const parsed = importArguments(['a.json', '/b', '--name', 'mine'], { INIT_CWD: '/at' })
  expect(parsed).toMatchObject({ files: [path.resolve('/at/a.json'), path.resolve('/b')], name: 'mine', url: null })
})

test('a mapping names words of ours, columns and constants', () => {
  const given = ['a.csv', '--map', 'reward=info.score', '--map', 'environment==math=2']
  expect(importArguments(given, {}).mapping).toEqual({ reward: 'info.score', environment: '=math=2' })
  expect(importArguments(['a.csv'], {}).mapping).toBeNull()
  for (const bad of ['reward', 'reward=', 'reward==']) {
    expect(() => importArguments(['a', '--map', bad], {})).toThrow('--map wants WORD=COLUMN or WORD==CONSTANT')
  }
  expect(() => importArguments(['a', '--map', 'rewards=x'], {})).toThrow('not "rewards"')
})
