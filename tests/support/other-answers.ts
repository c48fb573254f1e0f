import { after, before } from 'mocha';

/** For servers whose tests look at the facts of an answer: JSON envelopes instead of the shipped text. */
export const ENVELOPES = { CASTELLAN_ANSWERS: 'envelope' } as const;

/** For servers whose tests call tools that their workspace has no use for: every set is listed. */
export const ALL_SETS = { CASTELLAN_TOOLSETS: 'all' } as const;

/**
 * The suite around it is about other answers or sets than those that ship: every server that it makes or starts gets
 * these variables. Without it a test sees what a default client sees.
 */
export function useInstead(...variables: readonly Readonly<Record<string, string>>[]): void {
  const wanted: Readonly<Record<string, string>> = Object.assign({}, ...variables);
  const shipped = new Map<string, string | undefined>();
  before(() => {
    for (const [name, value] of Object.entries(wanted)) {
      shipped.set(name, process.env[name]);
      process.env[name] = value;
    }
  });
  after(() => {
    for (const [name, value] of shipped) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}
