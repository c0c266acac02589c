/**
 * Property tests draw from a fixed seed, so that a run that passed passes again: the gate judges a change, not luck.
 * PROPERTY_SEED=random looks further, PROPERTY_SEED=N repeats what it found.
 */
import fc from 'fast-check'

const asked = process.env.PROPERTY_SEED
if (asked !== 'random') fc.configureGlobal({ seed: asked === undefined ? 20_261_129 : Number(asked) })
