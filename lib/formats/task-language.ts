/**
 * The language of a task or a result where a benchmark counts its tasks alike in several (ACEBench: en, zh).
 * Owns: that a folder's name tells it ("data_zh/", "result_en/"), else the writing.
 */
export function languageOf(file: string, text: string | undefined): 'en' | 'zh' {
  const told = /(?:^|[\\/_-])(en|zh)(?=[\\/])/i.exec(file)?.[1]?.toLowerCase()
  if (told === 'en' || told === 'zh') return told
  return text !== undefined && /\p{Script=Han}/u.test(text) ? 'zh' : 'en'
}

/** English is not named, so that a set of one language has the names that its files give. */
export function inLanguage(environment: string, language: string | null): string {
  return language === null || language === 'en' ? environment : `${environment} (${language})`
}
