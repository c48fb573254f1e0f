import { hash } from 'node:crypto';
import type { Redactor } from '../../application/ports/audit/redactor.js';
import { TURN_CHARACTERS } from '../../application/ports/system/turns.js';
import { argumentShape } from '../../domain/audit/argument-shape.js';
import type {
  AuditConnection,
  AuditedCall,
  AuditedCaller,
  AuditedOutcome,
  AuditTicket,
} from '../../domain/audit/audit-record.js';
import { keptArguments } from '../../domain/audit/kept-arguments.js';
import { BoundedMap } from '../../domain/bounded-map.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { isJsonObject } from '../../domain/json-value.js';
import { previewArguments } from '../../domain/tool/argument-preview.js';
import { EVENT_LOOP } from '../system/immediate-turns.js';
import type { AuditSeal } from './audit-seal.js';

const MAX_NAME = 256;
const MAX_FULL = 16_384;
const MAX_QUOTED = 1000;
/** Characters of arguments that may be kept until their record is sealed. */
const MAX_SHORT = 4096;

const contentHash = (text: string): string => hash('sha256', text, 'hex');

/** The text of records, built by hand: one call costs a few concatenations and no object. */
export class AuditLine {
  readonly #quoted = new BoundedMap<string, string>(MAX_QUOTED);
  readonly #workspace: string;
  #millisecond = Number.NaN;
  #time = '';
  readonly #instance: string;

  constructor(
    private readonly seal: AuditSeal,
    private readonly redactor: Redactor,
    /** Whose calls these are, one process may serve several; and which of several servers this is. */
    { workspace, instance }: { readonly workspace?: string; readonly instance?: string } = {},
  ) {
    this.#instance = instance === undefined ? '' : `,"instance":${JSON.stringify(instance)}`;
    this.#workspace =
      workspace === undefined ? '' : `,"workspace":${JSON.stringify(redactor.text(workspace))}`;
  }

  /**
   * The call in words. They are found when somebody asks, which is when a handful of records is sealed: code that
   * runs for many records in a row is several times as fast. Long arguments are not kept for so long, but
   * digested while their call waits for the disk. Whatever is not plain may fail to digest, and does so at once;
   * so does what is to be redacted, by the rules that hold now.
   */
  wording(call: AuditedCall): () => string {
    const { argumentDetail: detail } = call;
    const isHashed = detail === 'hashed' || detail === 'paths';
    const shown = detail === 'paths' ? this.#kept(call.arguments) : '';
    const plain = isHashed ? copyPlain(call.arguments) : undefined;
    if (plain === undefined) return always(this.#call(call, shown));
    const kept = { ...call, arguments: plain.copy };
    const words = once(() => this.#call(kept, shown));
    if (plain.size > MAX_SHORT) void EVENT_LOOP.take(Math.min(plain.size, TURN_CHARACTERS)).then(words);
    return words;
  }

  /** `call` in words. */
  intent(at: number, call: string): string {
    return `,"kind":"intent","time":"${this.time(at)}"${call}`;
  }

  outcome(at: number, call: string, outcome: AuditedOutcome, ticket?: AuditTicket): string {
    const error = outcome.errorType === undefined ? '' : `,"error_type":${this.#name(outcome.errorType)}`;
    const refused = outcome.refused === undefined ? '' : `,"refused":${outcome.refused}`;
    const intent =
      ticket === undefined ? '' : `,"intent":{"segment":${this.#name(ticket.segment)},"n":${ticket.record}}`;
    return (
      `,"kind":"outcome","time":"${this.time(at)}"${call}${intent}` +
      `,"outcome":{"kind":"${outcome.kind}"${error}` +
      `,"duration_ms":${decimal(outcome.durationMs)},"bytes":${decimal(outcome.bytes)}${refused}${this.#landed(outcome)}}`
    );
  }

  connection({ at, correlationId, sessionId, caller, tool, alone, connection }: AuditConnection): string {
    const { host, port, outcome, why, sent, received, durationMs, times } = connection;
    return (
      `,"kind":"connection","time":"${this.time(at)}","correlation":${JSON.stringify(correlationId)}` +
      `${this.#who(sessionId, caller)},"tool":${this.#name(tool)},"connection":{"host":${this.#name(host)}` +
      (port === undefined ? '' : `,"port":${port}`) +
      `,"outcome":"${outcome}"${why === undefined ? '' : `,"why":${this.#name(why)}`}` +
      `,"sent":${decimal(sent)},"received":${decimal(received)},"duration_ms":${decimal(durationMs)}` +
      `${times === undefined ? '' : `,"times":${times}`}${alone ? '' : ',"alone":false'}}`
    );
  }

  #who(sessionId: string, { id, name = id, transport }: AuditedCaller): string {
    return (
      `,"session":${this.#name(sessionId)}${this.#instance},"caller":${this.#name(id)},"principal":${this.#name(name)}` +
      `,"transport":"${transport}"${this.#workspace}`
    );
  }

  #landed({ landed }: AuditedOutcome): string {
    if (landed === undefined) return '';
    const files = landed.map(({ path, sha256 }) => `{"path":${this.#name(path)},"sha256":"${sha256}"}`);
    return `,"landed":[${files.join(',')}]`;
  }

  /** Says that records are missing here because the disk refused them. */
  gap(at: number, lost: number): string {
    return `,"kind":"gap","time":"${this.time(at)}","lost":${lost}`;
  }

  /** `kept`: what is shown of arguments that are hashed. */
  #call(call: AuditedCall, kept: string): string {
    const { decision, consent } = call;
    const reason = decision.reason === undefined ? '' : `,"reason":${this.#name(decision.reason)}`;
    const rule = decision.rule === undefined ? '' : `,"rule":${this.#name(decision.rule)}`;
    return (
      `,"correlation":${JSON.stringify(call.correlationId)}${this.#who(call.sessionId, call.caller)}` +
      `,"tool":${this.#name(call.tool)},"arguments":${this.#arguments(call, kept)}` +
      `,"decision":{"effect":"${decision.effect}"${reason}${rule}}` +
      (consent === undefined ? '' : `,"consent":"${consent}"`) +
      (call.ownTool === undefined ? '' : `,"own_tool":${this.#name(call.ownTool)}`)
    );
  }

  #kept(args: unknown): string {
    const kept = keptArguments(args, (text) => this.redactor.text(text));
    return kept === undefined ? '' : `,"kept":${JSON.stringify(kept)}`;
  }

  #arguments(call: AuditedCall, kept: string): string {
    switch (call.argumentDetail) {
      case 'hashed':
      case 'paths': {
        const text = canonicalJson(call.arguments, contentHash);
        return text === undefined
          ? `{"unreadable":"too deep"${kept}}`
          : `{"hmac":"${this.seal.pseudonym(text)}"${kept}}`;
      }
      case 'shape':
        return `{"shape":${JSON.stringify(this.redactor.value(argumentShape(call.arguments)))}}`;
      case 'full':
        return this.#fullArguments(call.arguments);
    }
  }

  time(at: number): string {
    if (at !== this.#millisecond) {
      this.#millisecond = at;
      this.#time = new Date(at).toISOString();
    }
    return this.#time;
  }

  #fullArguments(args: unknown): string {
    const text = JSON.stringify(this.redactor.value(args));
    if (text.length <= MAX_FULL) return `{"full":${text}}`;
    const preview = JSON.stringify(previewArguments(args, (part) => this.redactor.text(part)));
    return preview.length <= MAX_FULL
      ? `{"preview":${preview}}`
      : `{"shape":${JSON.stringify(this.redactor.value(argumentShape(args)))}}`;
  }

  /** Names repeat from call to call; a caller that invents new ones only pushes out old ones. */
  #name(name: string): string {
    const known = this.#quoted.get(name);
    if (known !== undefined) return known;
    const quoted = JSON.stringify(this.redactor.text(name.slice(0, MAX_NAME)));
    if (name.length > MAX_NAME) return quoted;
    this.#quoted.set(name, quoted);
    return quoted;
  }
}

/**
 * Arguments that are texts, numbers and switches, nothing else, with the characters they have. A copy, because
 * the caller may use its object again for the next call.
 */
function copyPlain(args: unknown): { readonly copy: unknown; readonly size: number } | undefined {
  if (args === undefined) return { copy: undefined, size: 0 };
  if (!isJsonObject(args)) return undefined;
  const copy = { ...args };
  let size = 0;
  for (const name of Object.keys(copy)) {
    const value = copy[name];
    if (typeof value === 'string') size += value.length;
    else if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
    size += name.length;
  }
  return { copy, size };
}

/** Forgets how the text was made when it has it. */
function once(make: () => string): () => string {
  let pending: (() => string) | undefined = make;
  let text = '';
  return () => {
    if (pending !== undefined) text = pending();
    pending = undefined;
    return text;
  };
}

function always(text: string): () => string {
  return () => text;
}

function decimal(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : -1;
}
