/**
 * Server ids: short, URL-safe, not guessable, of lower-case letters and digits.
 */
import { randomBytes } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** 16 letters of 32, 80 random bits. */
export function newId(): string {
  return Array.from(randomBytes(16), (byte) => LETTERS.charAt(byte & 31)).join('')
}
