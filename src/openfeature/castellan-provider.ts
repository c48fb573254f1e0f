import {
  FlagNotFoundError,
  GeneralError,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
  TypeMismatchError,
} from '@openfeature/server-sdk';
import type { FlagStore } from '../application/ports/flag/flag-store.js';
import { type FlagValue, parseFlagName, resolveFlag } from '../domain/flag/flag.js';

/** Turns a value of ours into what was asked for; undefined: it is of another type. */
type Convert<T> = (value: FlagValue) => T | undefined;

/**
 * Castellan's flags for an application that uses OpenFeature: the project's value, else the global one. The
 * reason of an evaluation is PROJECT or GLOBAL; an absent flag gives the default with the reason ABSENT.
 */
export class CastellanProvider implements Provider {
  readonly metadata = { name: 'castellan' } as const;
  readonly runsOn = 'server';
  readonly events = new OpenFeatureEventEmitter();
  #forget: (() => void) | undefined;

  /** The store of a running Castellan: `castellan.container.get(FlagStore)`. */
  constructor(private readonly flags: FlagStore) {}

  async initialize(): Promise<void> {
    this.#forget ??= this.flags.onChange((scope) => {
      this.events.emit(ProviderEvents.ConfigurationChanged, {
        message: `${scope === 'project' ? 'Project' : 'Global'} flags have changed.`,
      });
    });
  }

  /** The store is the host's: it stays open. */
  async onClose(): Promise<void> {
    this.#forget?.();
    this.#forget = undefined;
  }

  resolveBooleanEvaluation(flag: string, fallback: boolean): Promise<ResolutionDetails<boolean>> {
    return this.#resolve(flag, fallback, 'boolean', (value) =>
      typeof value === 'boolean' ? value : undefined,
    );
  }

  resolveStringEvaluation(flag: string, fallback: string): Promise<ResolutionDetails<string>> {
    return this.#resolve(flag, fallback, 'string', (value) =>
      typeof value === 'string' ? value : undefined,
    );
  }

  /** Flags hold no numbers; a text that is one will do. */
  resolveNumberEvaluation(flag: string, fallback: number): Promise<ResolutionDetails<number>> {
    return this.#resolve(flag, fallback, 'number', (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
      return Number.isFinite(number) ? number : undefined;
    });
  }

  resolveObjectEvaluation<T extends JsonValue>(flag: string, fallback: T): Promise<ResolutionDetails<T>> {
    // The SDK's own signature promises the caller's type for a value nobody has looked at.
    const copy = (value: FlagValue): T => JSON.parse(JSON.stringify(value));
    return this.#resolve(flag, fallback, 'object', (value) =>
      typeof value === 'object' ? copy(value) : undefined,
    );
  }

  async #resolve<T>(
    flag: string,
    fallback: T,
    wanted: string,
    convert: Convert<T>,
  ): Promise<ResolutionDetails<T>> {
    const name = parseFlagName(flag);
    if (!name.success) throw new FlagNotFoundError(name.error);
    const [project, global] = [await this.flags.all('project'), await this.flags.all('global')];
    if (!project.success) throw new GeneralError(project.error);
    if (!global.success) throw new GeneralError(global.error);
    const { value, reason } = resolveFlag(name.value, project.value, global.value);
    if (value === undefined) return { value: fallback, reason };
    const converted = convert(value);
    if (converted !== undefined) return { value: converted, reason };
    const kind = Array.isArray(value) ? 'list' : typeof value;
    throw new TypeMismatchError(`The flag ${flag} holds a ${kind}, and a ${wanted} was asked for.`);
  }
}
