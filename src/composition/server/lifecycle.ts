import type { Container, ServiceIdentifier } from 'inversify';
import type { Bind } from '../modules/concept-module.js';

/** Before the first call, in this order. */
export const BEGINNING = ['policy', 'redaction', 'settings', 'files', 'tool switches'] as const;

/**
 * After the last client has left, in this order: first what starts work by itself, then what calls use, then the audit
 * log that all of it writes to, and the link to other instances last.
 */
export const ENDING = [
  'tool switches',
  'approvals',
  'sessions',
  'commands',
  'flags',
  'knowledge',
  'prompts',
  'settings',
  'redaction',
  'files',
  'policy',
  'sandbox',
  'audit',
  'shared state',
] as const;

export type EndingStage = (typeof ENDING)[number];

/** What a concept does when the server begins and when it ends. */
export interface StageWork {
  readonly begin?: (server: Container) => unknown;
  readonly end: (server: Container) => unknown;
}

interface Stage extends StageWork {
  readonly name: EndingStage;
}

const Stage: ServiceIdentifier<Stage> = Symbol.for('castellan.Stage');

export function bindStage(bind: Bind, name: (typeof BEGINNING)[number], work: StageWork): void;
export function bindStage(bind: Bind, name: EndingStage, work: Pick<StageWork, 'end'>): void;
export function bindStage(bind: Bind, name: EndingStage, work: StageWork): void {
  bind(Stage).toConstantValue({ name, ...work });
}

export async function beginServer(server: Container): Promise<void> {
  const stages = server.getAll(Stage);
  for (const name of BEGINNING)
    for (const stage of stages) if (stage.name === name) await stage.begin?.(server);
}

/** Ends every stage, even if one before it failed. */
export async function endServer(server: Container): Promise<void> {
  const stages = server.getAll(Stage);
  const failures: unknown[] = [];
  for (const name of ENDING) {
    for (const stage of stages.filter((each) => each.name === name)) {
      try {
        await stage.end(server);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, 'Several parts of the server did not stop.');
}
