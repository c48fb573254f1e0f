const BLOCK = /`((?:also_allow:\n)?(?: {2}- \{.*\}(?:\n|(?=`)))+)`/;

/** The text that a hint asks a person to paste; undefined if it proposes none. */
export function textToPaste(hint: string): string | undefined {
  return BLOCK.exec(hint)?.[1];
}

/** The policy file after a person has pasted the text as the hint says: at its end, or below `also_allow:`. */
export function paste(yaml: string, hint: string): string {
  const text = textToPaste(hint);
  if (text === undefined) throw new Error(`nothing to paste: ${hint}`);
  if (text.startsWith('also_allow:')) return `${yaml}\n${text}\n`;
  return yaml.replace(/^also_allow:\n/m, (line) => `${line}${text}\n`);
}
