import type { Section } from './document-outline.js';

export interface CutText {
  readonly text: string;
  /** undefined if nothing was cut. */
  readonly left?: { readonly sections: number; readonly of: number; readonly next?: Section };
}

/** As many complete sections from the beginning as fit; `sizeOf` measures text. */
export function cutBySection(
  text: string,
  sections: readonly Section[],
  room: number,
  sizeOf: (text: string) => number,
): CutText {
  if (sizeOf(text) <= room) return { text };
  let kept = 0;
  let end = 0;
  let size = 0;
  for (const section of sections) {
    const grown = size + sizeOf(text.slice(end, section.end));
    if (grown > room) break;
    size = grown;
    end = section.end;
    kept += 1;
  }
  const next = sections[kept];
  const left = { sections: sections.length - kept, of: sections.length, ...(next && { next }) };
  return { text: text.slice(0, end), left };
}
