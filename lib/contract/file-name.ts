/** Names of files that are handed out: after what they hold, in signs that any file system takes. */
export const fileSafe = (name: string) => name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'run'
