import { type HostRule, splitPort } from '../policy/host-rules.js';
import type { RulePosition } from '../policy/rule-position.js';

/** The ports that a rule without one is about, for commands. */
export const WEB_PORTS: readonly number[] = [80, 443];
/** Where commands find the explicit proxy, in every session the same. */
export const PROXY_PORT = 3128;
export const SSH_PORT = 22;

/** What one policy file says about the hosts of commands. */
export interface HostTerms {
  /** It says network: full, so that only its denies bind. */
  readonly open: boolean;
  readonly allowed: readonly HostRule[];
  readonly denied: readonly HostRule[];
  /** Private ranges in which a host may lie, such as 10.1.0.0/16. */
  readonly addresses: readonly string[];
  /** Ports of services of this machine. */
  readonly loopback: readonly number[];
}

export type HostVerdict =
  | { readonly allowed: true; readonly rule?: RulePosition }
  /** `denied`: a rule names it, so that no further rule would allow it. */
  | { readonly allowed: false; readonly why: 'denied' | 'unlisted'; readonly rule?: RulePosition };

export interface NamedPort {
  readonly host: string;
  readonly port: number;
}

/** The hosts that a command reaches: what the policy and every ceiling above it allow. */
export class HostAccess {
  readonly #verdicts = new Map<string, HostVerdict>();

  private readonly terms: readonly HostTerms[];

  /** The first are those of the policy itself. */
  constructor(terms: readonly HostTerms[]) {
    const seen = new Map(terms.map((one) => [JSON.stringify(one), one]));
    this.terms = [...seen.values()];
  }

  /** The same text for the same grant. */
  get key(): string {
    return JSON.stringify(
      this.terms.map(({ open, allowed, denied, addresses, loopback }) => [
        open,
        allowed.map(({ pattern }) => pattern),
        denied.map(({ pattern }) => pattern),
        addresses,
        loopback,
      ]),
    );
  }

  /** `host` as parseHostName gives it, or an address in its usual spelling. */
  judge(host: string, port: number): HostVerdict {
    const key = `${host} ${port}`;
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = judgeAll(this.terms, host, port);
    if (this.#verdicts.size < MOST_REMEMBERED) this.#verdicts.set(key, verdict);
    return verdict;
  }

  /** Whether one line in the policy itself would allow it: nothing denies it, and every ceiling has it. */
  isMissing(host: string, port: number): boolean {
    const [own, ...above] = this.terms;
    if (own === undefined || own.open || this.judge(host, port).allowed) return false;
    const listed = { ...own, open: true };
    return judgeAll([listed, ...above], host, port).allowed;
  }

  /** Whether the name may be looked up: some port of it is allowed. */
  reaches(host: string): boolean {
    return [...WEB_PORTS, SSH_PORT, ...this.ports.map(({ port }) => port), ...this.#wildPorts()].some(
      (port) => this.judge(host, port).allowed,
    );
  }

  /** Whole names with ports that rules name, beside those that are waited on for every name. */
  get ports(): readonly NamedPort[] {
    return this.#named().filter(({ host }) => !host.startsWith('*'));
  }

  /** Ports of this machine that all files allow. */
  get loopback(): readonly number[] {
    const bound = this.terms.filter(({ open }) => !open).map(({ loopback }) => loopback);
    const [first = [], ...rest] = bound;
    return [...new Set(first)].filter((port) => rest.every((ports) => ports.includes(port)));
  }

  /** Private ranges, for each file that names them: an address has to lie in one of every file. */
  get addresses(): readonly (readonly string[])[] {
    return this.terms.filter(({ open }) => !open).map(({ addresses }) => addresses);
  }

  /** The hosts in words, as a person wrote them. */
  describe(): string {
    const lists = this.terms
      .filter(({ open }) => !open)
      .map(({ allowed, loopback }) => [
        ...allowed.map(({ pattern }) => pattern),
        ...loopback.map((port) => `localhost:${port}`),
      ]);
    const shown = lists.map((list) => (list.length === 0 ? 'no host' : list.join(', '))).join(' and only ');
    const denied = this.terms.flatMap((term) => term.denied.map(({ pattern }) => pattern));
    return denied.length === 0 ? shown : `${shown}; never ${[...new Set(denied)].join(', ')}`;
  }

  #wildPorts(): readonly number[] {
    return this.#named()
      .filter(({ host }) => host.startsWith('*'))
      .map(({ port }) => port);
  }

  #named(): readonly NamedPort[] {
    const rules = this.terms
      .flatMap(({ allowed }) => allowed)
      .map(({ pattern }) => splitPort(pattern.toLowerCase()));
    return rules.flatMap(({ name: host, port }) => (port === undefined ? [] : [{ host, port }]));
  }
}

const MOST_REMEMBERED = 4096;

function judgeAll(terms: readonly HostTerms[], host: string, port: number): HostVerdict {
  for (const { denied } of terms) {
    const rule = denied.find(({ pattern }) => isDeniedBy(pattern, host, port));
    if (rule !== undefined) return { allowed: false, why: 'denied', rule: rule.at };
  }
  let at: RulePosition | undefined;
  for (const { open, allowed } of terms) {
    const rule = allowed.find(({ pattern }) => isAllowedBy(pattern, host, port));
    if (rule === undefined && !open) return { allowed: false, why: 'unlisted' };
    at ??= rule?.at;
  }
  return { allowed: true, ...(at && { rule: at }) };
}

function isAllowedBy(pattern: string, host: string, port: number): boolean {
  const { name, port: own } = splitPort(pattern.toLowerCase());
  return matchesName(name, host) && (own === undefined ? WEB_PORTS.includes(port) : own === port);
}

function isDeniedBy(pattern: string, host: string, port: number): boolean {
  const { name, port: own } = splitPort(pattern.toLowerCase());
  return matchesName(name, host) && (own === undefined || own === port);
}

/** A star is for names: an address has to be written out. */
function matchesName(name: string, host: string): boolean {
  if (name === host) return true;
  if (!name.startsWith('*') || isAddress(host)) return false;
  return name === '*' || host.endsWith(name.slice(1));
}

export function isAddress(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host);
}

/** The network of commands as explanations and the power statement show it. */
export function reachInWords(network: string, terms: readonly HostTerms[]): string {
  return network === 'hosts' ? `hosts (${new HostAccess(terms).describe()})` : network;
}
