import { describe, expect, test } from 'vitest'
import { callsNamed, rolloutTurns, textOf } from '@/lib/view/rollout-turns'
import { indented, oneLine, toolOutcome } from '@/lib/view/tool-outcome'

const call = (id: string, name: string, args = '{}') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
})
const tool = (id: string, content: unknown, more: object = {}) => ({ role: 'tool', tool_call_id: id, content, ...more })

describe('turns of a conversation', () => {
  test('pair calls with their answers, join silent ones, and count what the agent said', () => {
    const turns = rolloutTurns([
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'please' },
      call('a', 'read'),
      tool('a', '{"ok":true}', { seconds: 0.4 }),
      call('b', 'list'),
      tool('b', '[1,2,3]'),
      { role: 'assistant', content: 'Done.' },
    ])
    expect(turns.map(({ who, turns: said, text, folded }) => [who, said, text, folded])).toEqual([
      ['system', null, 'rules', true],
      ['user', null, 'please', false],
      ['agent', 'turns 1 to 2', null, false],
      ['agent', 'turn 3', 'Done.', false],
    ])
    expect(turns[2]?.calls).toMatchObject([
      { name: 'read', result: '{"ok":true}', outcome: 'ok', failed: false, seconds: 0.4 },
      { name: 'list', result: '[1,2,3]', outcome: '3 items' },
    ])
  })

  test('answers to ids that repeat go to the calls in order; parallel and old forms work', () => {
    const turns = rolloutTurns([
      call('x', 'one'),
      tool('x', 'first'),
      call('x', 'two'),
      tool('x', 'second'),
      {
        role: 'assistant',
        content: 'two at once',
        tool_calls: [
          { id: 'p', function: { name: 'p', arguments: { a: 1 } } },
          { id: 'q', function: { name: 'q', arguments: '{}' } },
        ],
      },
      tool('q', 'for q'),
      tool('p', 'for p'),
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: 'old answer' },
    ])
    const calls = turns.flatMap((turn) => turn.calls)
    expect(calls.map(({ name, result }) => [name, result])).toEqual([
      ['one', 'first'],
      ['two', 'second'],
      ['p', 'for p'],
      ['q', 'for q'],
      ['old', 'old answer'],
    ])
    expect(calls[2]?.args).toBe('{"a":1}')
    expect(new Set(calls.map(({ key }) => key)).size).toBe(5)
  })

  test('what is malformed is shown, never dropped', () => {
    const odd: unknown[] = [
      null,
      7,
      'text alone',
      {},
      { role: 'tool', content: 'nobody asked' },
      { role: 'tool', tool_call_id: 'none', content: null },
      { role: 'assistant' },
      { role: 'assistant', content: '', tool_calls: ['what', null, { function: 'f' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'part' },
          { type: 'image_url', image_url: { url: 'x' } },
        ],
      },
      { role: 'user', content: { a: 1 } },
      { role: 'assistant', content: 'so', reasoning_content: 'because' },
    ]
    const turns = rolloutTurns(odd)
    expect(turns.length).toBe(12)
    expect(new Set(turns.map(({ key }) => key)).size).toBe(12)
    expect(turns.find(({ who }) => who === 'tool')?.text).toBe('nobody asked')
    expect(turns.flatMap(({ calls }) => calls)).toHaveLength(3)
    expect(turns.at(-2)).toMatchObject({ who: 'thought', text: 'because', folded: true })
    expect(textOf([{ type: 'text', text: 'part' }, { type: 'image_url' }])).toBe('part\n{"type":"image_url"}')
    expect(rolloutTurns([])).toEqual([])
  })

  test('a last call without an answer failed only where the rollout broke down', () => {
    const messages = [call('a', 'read'), tool('a', 'fine'), call('b', 'list')]
    const failed = (broken: boolean) =>
      rolloutTurns(messages, broken).flatMap(({ calls }) => calls.map((c) => c.failed))
    expect(failed(false)).toEqual([false, false])
    expect(failed(true)).toEqual([false, true])
  })

  test('thousands of calls stay in turns of twenty', () => {
    const messages = Array.from({ length: 5000 }, (_, at) => [call(`c${at}`, 'step'), tool(`c${at}`, 'ok')]).flat()
    const begin = performance.now()
    const turns = rolloutTurns(messages)
    // 20 ms on a quiet machine; ten times the messages must not take a hundred times as long on a busy one
    expect(performance.now() - begin).toBeLessThan(3000)
    expect(turns).toHaveLength(250)
    expect(turns.every(({ calls }) => calls.length === 20)).toBe(true)
    expect(turns.at(-1)?.turns).toBe('turns 4981 to 5000')
  })

  test('the verifier names a call by a value it found, the last that holds it', () => {
    const turns = rolloutTurns([
      call('a', 'pay', '{"card": "card_4410"}'),
      call('b', 'refund_bag', '{"card": "card_4410"}'),
      call('c', 'send_mail', '{"to": "you"}'),
    ])
    const [first] = turns
    const keys = first?.calls.map(({ key }) => key) ?? []
    expect(callsNamed(turns, ['payment: expected card_9027, found card_4410.'])).toEqual(new Set([keys[1]]))
    expect(callsNamed(turns, ['expected pay_card, found send_mail'])).toEqual(new Set([keys[2]]))
    expect(callsNamed(turns, ['refund of $ 50 on the wrong card', 'not reached', ''])).toEqual(new Set())
    expect(callsNamed([], ['found card_4410'])).toEqual(new Set())
  })
})

describe('what came of a call', () => {
  test.each([
    [null, 'no answer', false],
    ['', 'empty', false],
    ['{"ok":true,"charged":212}', 'ok', false],
    ['{"ok":false,"error":"the price is as it was"}', 'failed: the price is as it was', true],
    ['{"success":false}', 'failed', true],
    ['{"error":"no such order"}', 'failed: no such order', true],
    ['{"error":null,"a":1}', '2 fields', false],
    ['[]', '0 items', false],
    ['[1]', '1 item', false],
    ['0', '0', false],
    ['null', 'null', false],
    ['"quoted"', 'quoted', false],
    ['Error: not found\n  at line 3', 'Error: not found at line 3', true],
    ['errors were none', 'errors were none', false],
    ['<b>bold</b>', '<b>bold</b>', false],
  ])('%s', (text, words, failed) => {
    expect(toolOutcome(text)).toEqual({ words, failed })
  })

  test('huge texts are summed up without being read whole', () => {
    const huge = `{"a":"${'x'.repeat(2_000_000)}"}`
    const begin = performance.now()
    expect(toolOutcome(huge).words.length).toBeLessThan(70)
    expect(indented(huge)).toBe(huge)
    expect(performance.now() - begin).toBeLessThan(500)
    expect(oneLine('a\n  b')).toBe('a b')
    expect(oneLine(' '.repeat(1000)).length).toBeLessThan(5)
    expect(indented('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(indented('no json')).toBe('no json')
  })
})
