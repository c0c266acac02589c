/* Owns what Help says: the words, the explanations and their anchors, so that a hover elsewhere can lead to the right one.
   Invariant: an anchor is used once; the words are those of the vocabulary, the same in code, API and pages. */

interface Word {
  /** the anchor behind "#" */
  id: string
  word: string
  text: string
}

export const WORDS = [
  { id: 'task', word: 'task', text: 'one problem in one environment, with a verifier that gives the reward' },
  { id: 'task-set', word: 'task set', text: 'environments and their tasks; many runs may share one' },
  { id: 'environment', word: 'environment', text: 'the tools, the state and the verifier that its tasks share' },
  { id: 'run', word: 'run', text: 'one training run on one task set: its settings, history, overrides and seed' },
  { id: 'policy-version', word: 'policy version', text: "the trainer's step; evidence fades as it moves on" },
  { id: 'batch', word: 'batch', text: 'what one request of the trainer returned' },
  { id: 'pick', word: 'pick', text: 'one chosen task of a batch; it is rolled out as one group' },
  { id: 'lease', word: 'lease', text: 'the handle under which a pick is reported; it expires if nothing comes back' },
  { id: 'group', word: 'group', text: 'the rollouts of one pick, usually 8' },
  {
    id: 'informative-group',
    word: 'informative group',
    text: 'a group whose rewards are not all equal; only these give a gradient',
  },
  {
    id: 'realised-variance',
    word: 'realised variance',
    text: 'how far the rewards of a group lay apart, unbiased: 4 of 8 solved is 0.286',
  },
  { id: 'ability', word: 'ability', text: 'the expected reward of a task now, between 0 and 1' },
  { id: 'within-cross', word: 'within, cross', text: 'the two relations: same environment, or same pattern elsewhere' },
  { id: 'prior', word: 'prior', text: 'what is assumed of an environment before any evidence; it is no evidence' },
  {
    id: 'pattern',
    word: 'pattern',
    text: 'the steps of a task without its names, such as search, change, send',
  },
  { id: 'coverage', word: 'coverage', text: 'how well environments, tasks and patterns have been seen' },
  {
    id: 'similarity-penalty',
    word: 'similarity penalty',
    text: 'what a task loses for being like one already picked',
  },
  {
    id: 'override',
    word: 'override',
    text: 'what a person changed: dated, with a note, undone by a new entry',
  },
  {
    id: 'shadow',
    word: 'shadow mode',
    text: 'the trainer chooses and only reports; predictions are stored and judged all the same',
  },
  {
    id: 'placebo',
    word: 'placebo graph',
    text: 'the same graph with shuffled ends; if it predicts as well, the graph does not help',
  },
  {
    id: 'untrusted',
    word: 'untrusted rollout',
    text: 'stored but in no statistic: an error of the infrastructure or verifier, or a reward that is missing',
  },
  {
    id: 'ladder',
    word: 'ladder',
    text: 'what is used when something fails: full, no graph, environment means, uniform',
  },
] as const satisfies readonly Word[]

interface Explanation {
  id: string
  title: string
  text: readonly string[]
}

export const EXPLANATIONS = [
  {
    id: 'predicted-variance',
    title: 'Predicted variance',
    text: [
      'The variance that is expected of the next group of a task, of rewards brought to 0 to 1. It is 0 where all rollouts will end the same and 0.250 where each is as likely to be solved as not.',
      'It is the mean over what is not known: an uncertain ability of one half gives less than 0.250. One group can reach more, 0.286 at 8 rollouts, since realised variance is unbiased.',
      'Predictions are stored before a group is absorbed, so that Predictions can judge them.',
    ],
  },
  {
    id: 'evidence',
    title: 'Evidence and its shares',
    text: [
      'Only trusted rollouts that came back for training count; no task is tried out beforehand. A rollout tells about its own task most, about tasks of the same environment, and about tasks of the same pattern elsewhere.',
      'Own, within, cross and prior are the parts of one prediction and sum to it. A part may be negative: a neighbour that is always solved takes predicted variance away.',
      'Evidence fades as the policy version moves on. Graph and Task show which rollouts a part came from.',
    ],
  },
  {
    id: 'score',
    title: 'Score terms',
    text: [
      'Exploitation is the predicted variance times its weight. Coverage adds what was seen too little. Similarity and recency take away what repeats a pick of this batch or of recent ones. Quota adds what an environment is behind.',
      'Each term is the change that it made, so they sum to the score.',
    ],
  },
  {
    id: 'uniform-slots',
    title: 'Uniform slots',
    text: [
      'A quarter of the picks, the uniform share, is drawn uniformly over all tasks, whatever their score: each task comes once before any comes again.',
      'They rehearse what was learnt, notice what moved, and are the honest sample: reward and informative share of the whole task set are measured on them alone, with an interval. The reward of chosen tasks says little about progress, since they are half solved by design.',
    ],
  },
  {
    id: 'quotas',
    title: 'Quotas',
    text: [
      "The lowest and the highest share of picks that an environment may have over the last picks of a window, ten typical batches by default. Both are soft: where tasks are short they give way, and the batch's notes say so.",
      'An impossible set is refused with the nearest possible one: lower above upper, lower quotas over 100 % together, upper quotas under 100 % together.',
    ],
  },
  {
    id: 'precedence',
    title: 'What goes before what',
    text: [
      'Ban, hold and open lease first: such a task is not picked at all. Then: the batch is full; pins; upper quotas; lower quotas; the score. Uniform slots skip banned, held and leased tasks and ignore scores and upper quotas.',
      'An override takes effect with the next batch that is drawn, never with one that is out. Undo is a new entry; nothing is erased.',
    ],
  },
  {
    id: 'missing-rewards',
    title: 'Missing rewards',
    text: [
      'A reward that is missing, NaN or out of its declared range is never 0. The rollout is kept with its reason, marked untrusted, and left out of every statistic.',
      'A task whose rollouts keep failing outside the policy waits 2, 4, 8 batches, and its reason says so.',
    ],
  },
  {
    id: 'when-it-fails',
    title: 'When the server cannot be reached',
    text: [
      'The client draws uniformly, keeps reports on disk and sends them later: the scheduler never stops a training run. Such picks are marked with the rung "offline".',
    ],
  },
] as const satisfies readonly Explanation[]

/** `segment`: the tab of a run; `path`: a page of the server. */
export const QUESTIONS = [
  { ask: 'Is it learning, and is EnvSched earning its keep?', page: 'Overview', segment: 'overview' },
  { ask: 'Why this task, and why not that one?', page: 'Batch', segment: 'batch' },
  { ask: 'Where does a prediction come from?', page: 'Graph', segment: 'graph' },
  { ask: 'Who is starved or broken?', page: 'Environments', segment: 'environments' },
  { ask: 'What is known about one task?', page: 'Task', segment: 'tasks' },
  { ask: 'Can I trust it?', page: 'Predictions', segment: 'predictions' },
  { ask: 'What if I change this?', page: 'Steering', segment: 'steering' },
  { ask: 'What did the agent do?', page: 'Rollouts', segment: 'rollouts' },
  { ask: 'Who may do what, and when is the disk full?', page: 'Settings', segment: 'settings' },
  { ask: 'Did it help, over seeds?', page: 'Compare', path: '/compare' },
  { ask: 'How do I plug a trainer in?', page: 'Connect', path: '/connect' },
  { ask: 'What can be read from files?', page: 'Import', path: '/import' },
] as const
