import { expect, test } from 'vitest'
import { actsOn, nameWords, roleOf } from '@/lib/engine/roles'

const tool = (name: string, description: string | null = null, parameters: string[] = []) => ({
  name,
  role: null,
  description,
  parameters,
})

test.each([
  ['get_user_details', 'read'],
  ['getUserDetails', 'read'],
  ['search_direct_flight', 'search'],
  ['book_reservation', 'create'],
  ['modify_pending_order_items', 'update'],
  ['cancel_reservation', 'delete'],
  ['Calculator.multiply', 'compute'],
  ['send_certificate', 'communicate'],
  ['transfer_to_human_agents', 'communicate'],
  ['transfer_funds', 'update'],
  ['frobnicate', 'other'],
])('%s is %s', (name, role) => {
  expect(roleOf(tool(name))).toBe(role)
})

test('what the set says comes first, then the name, the description, the parameters', () => {
  expect(roleOf({ ...tool('get_user'), role: 'delete' })).toBe('delete')
  expect(roleOf(tool('frob', 'Removes an order from the cart'))).toBe('delete')
  expect(roleOf(tool('frob', null, ['query']))).toBe('search')
  expect(roleOf(tool('frob', null, ['recipient']))).toBe('communicate')
  expect(roleOf(tool(''))).toBe('other')
})

test('the noun that a tool acts on is singular, without verbs and filler', () => {
  expect(actsOn('get_reservation_details')).toBe('reservation')
  expect(actsOn('list_all_orders')).toBe('order')
  expect(actsOn('find_user_id_by_email')).toBe('user')
  expect(actsOn('search')).toBeNull()
  expect(actsOn('get_2')).toBeNull()
})

test('names of every style fall apart into words', () => {
  expect(nameWords('Files.copyTo-trash_2')).toEqual(['files', 'copy', 'to', 'trash', '2'])
})
