import type { AnswerOutcome, OperatedServers } from '../../application/operation/operated-server.js';
import { STOPPABLE } from '../../application/operation/watch-server.js';
import { isJsonObject } from '../../domain/json-value.js';
import { approvalsPage, waitingIn } from './approvals-page.js';
import { consolePage, type PageName } from './console-page.js';
import type { ConsoleService } from './console-service.js';
import { figuresPage } from './figures-page.js';
import { type HistoryFilter, historyPage, OUTCOMES } from './history-page.js';
import { type Fragment, html } from './html.js';
import { nowPage } from './now-page.js';
import { policyPage, type TrialCall } from './policy-page.js';

const SHOWN_RECORDS = 200;
const READ_RECORDS = 5_000;

/** What came of a form, as the page after it is told in its address. */
const SAID = {
  allowed: 'Allowed. The call runs now, or when the agent makes it again.',
  denied: 'Denied. The agent is told.',
  gone: 'The question is not open any more: it was answered elsewhere, withdrawn or too old.',
  'other-way': 'The policy wants this question answered another way.',
  'wrong-phrase': 'The phrase that was typed is not the one asked for. The question stays open.',
  'wrong-key': 'The PIN was changed meanwhile. Start castellan console again.',
  stopped: 'Stopped.',
  over: 'It has ended already.',
} as const;

export type Said = keyof typeof SAID;

type Form = URLSearchParams;
type States = Awaited<ReturnType<OperatedServers['states']>>;

/** Makes the pages and carries out their forms. */
export class ConsoleViews {
  constructor(private readonly service: ConsoleService) {}

  async page(page: PageName, query: URLSearchParams, tried?: TrialCall): Promise<string> {
    const states = await this.service.servers.states();
    const live = await this.#content(page, states, query, tried);
    const said = Object.entries(SAID).find(([code]) => code === query.get('said'))?.[1];
    const isLive = page === 'now' || page === 'approvals';
    return consolePage({
      page,
      waiting: waitingIn(states),
      said,
      ...(isLive ? { live } : { live: '', still: live }),
    });
  }

  /** Only what changes of a page. */
  async part(page: PageName): Promise<string> {
    const states = await this.service.servers.states();
    return html`${await this.#content(page, states, new URLSearchParams(), undefined)}`.text;
  }

  /** What pages follow: something new means that something has changed. */
  async changes(): Promise<{ readonly version: string; readonly waiting: number }> {
    const states = await this.service.servers.states();
    return { version: JSON.stringify([...states]), waiting: waitingIn(states) };
  }

  async answer(form: Form): Promise<Said> {
    const answer = form.get('answer');
    const accept = answer === 'once' || answer === 'session';
    if (!accept && answer !== 'deny') return 'gone';
    const outcome: AnswerOutcome = await this.service.servers.answer(form.get('server') ?? '', {
      id: form.get('id') ?? '',
      accept,
      remember: answer === 'session',
      typed: form.get('typed') ?? undefined,
      reason: form.get('reason') ?? undefined,
    });
    if (outcome !== 'taken') return outcome;
    return accept ? 'allowed' : 'denied';
  }

  async stop(form: Form): Promise<Said> {
    const kind = STOPPABLE.find((name) => name === form.get('kind'));
    if (kind === undefined) return 'over';
    const stopped = await this.service.servers.stop(form.get('server') ?? '', kind, form.get('id') ?? '');
    return stopped ? 'stopped' : 'over';
  }

  /** Asks the policy about a call that is not made. */
  async tryCall(form: Form): Promise<TrialCall> {
    const [server = '', tool = '', text = ''] = ['server', 'tool', 'arguments'].map(
      (name) => form.get(name) ?? '',
    );
    const args = parseArguments(text);
    if (args === undefined) return { server, tool, text, answer: 'The arguments are no JSON object.' };
    const answer = await this.service.servers.tryCall(server, tool, args);
    return { server, tool, text, answer: answer ?? 'The server is gone.' };
  }

  async #content(
    page: PageName,
    states: States,
    query: URLSearchParams,
    tried: TrialCall | undefined,
  ): Promise<Fragment> {
    const { servers } = this.service;
    switch (page) {
      case 'now':
        return nowPage(states);
      case 'approvals':
        return approvalsPage(states);
      case 'history':
        return this.#history(query);
      case 'policy': {
        const shown = [...states].map(async ([server, state]) => ({
          server,
          workspace: state.server.workspace,
          policy: await servers.policy(server),
        }));
        return policyPage(await Promise.all(shown), tried);
      }
      case 'figures': {
        const records = await this.service.records(READ_RECORDS, {});
        return figuresPage(records.success ? records.value : records.error);
      }
    }
  }

  async #history(query: URLSearchParams): Promise<Fragment> {
    const filter: HistoryFilter = {
      tool: query.get('tool') ?? '',
      caller: query.get('caller') ?? '',
      outcome: OUTCOMES.find((name) => name === query.get('outcome')) ?? '',
    };
    const { tool, caller, outcome } = filter;
    const found = await this.service.records(READ_RECORDS, {
      ...(tool !== '' && { tool }),
      ...(caller !== '' && { caller }),
    });
    const wanted = (record: Readonly<Record<string, unknown>>): boolean =>
      record.kind === 'outcome' &&
      (outcome === '' || (isJsonObject(record.outcome) && record.outcome.kind === outcome));
    const records = found.success ? found.value.filter(wanted).slice(-SHOWN_RECORDS).reverse() : found.error;
    const checked = query.get('verify') === '1' ? await this.service.verify() : undefined;
    const verified = checked?.success ? checked.value : checked?.error;
    return historyPage({ filter, records, verified });
  }
}

function parseArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
