import type { ServerName, ServerPolicy, TriedCall } from '../../application/operation/operated-server.js';
import { rows, table } from './approvals-page.js';
import { keyed } from './console-page.js';
import { type Html, html } from './html.js';

export interface ShownPolicy {
  readonly server: ServerName;
  readonly workspace: string;
  /** undefined: the server is gone. */
  readonly policy: ServerPolicy | undefined;
}

/** A call that somebody wants to try, and the answer. */
export interface TrialCall {
  readonly server: ServerName;
  readonly tool: string;
  readonly text: string;
  /** What is wrong with it, where it was not asked about. */
  readonly answer: TriedCall | string;
}

/** What is in force in each server, what each role may use, and what would become of a call. */
export function policyPage(policies: readonly ShownPolicy[], tried: TrialCall | undefined): Html {
  if (policies.length === 0) return html`<p>No server of yours can be reached.</p>`;
  return html`${tryForm(policies, tried)}${policies.map((shown) => keyed(shown.server, policyOf(shown)))}`;
}

function policyOf({ workspace, policy }: ShownPolicy): Html {
  if (policy === undefined) return html`<h2>${workspace}</h2><p class="warning">The server is gone.</p>`;
  const { origin, hash, problems, warnings, notice, roles } = policy;
  const lines = roles.map(({ role, tools }) => [role, tools.length === 0 ? 'nothing' : tools.join(', ')]);
  return html`<h2>${workspace}</h2>
<p>In force: ${origin.join(', ')} <small>${hash.slice(0, 16)}</small></p>
${notice !== undefined && html`<p class="warning">${notice}</p>`}
${problems.length > 0 && html`<p class="warning">The file on the disk is wrong; the last good one stays in force.</p>`}
${list(problems)}${list(warnings)}
${table('What each role may use', ['Role', 'Tools'], rows(lines))}`;
}

function list(items: readonly string[]): Html {
  return items.length === 0 ? html`` : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function tryForm(policies: readonly ShownPolicy[], tried: TrialCall | undefined): Html {
  const options = policies.map(
    ({ server, workspace }) =>
      html`<option value="${server}"${server === tried?.server && html` selected`}>${workspace}</option>`,
  );
  return html`<section class="card" aria-labelledby="try"><h2 id="try">Try a call</h2>
<form method="post" action="try"><p><label>Server <select name="server">${options}</select></label>
<label>Tool <input name="tool" value="${tried?.tool ?? 'read_file'}" required></label></p>
<p><label>Arguments as JSON<br><textarea name="arguments" rows="3" spellcheck="false">${tried?.text ?? '{"path": "README.md"}'}</textarea></label></p>
<button>Ask the policy</button> Nothing is run.</form>
${tried !== undefined && answerOf(tried.answer)}</section>`;
}

function answerOf(answer: TriedCall | string): Html {
  if (typeof answer === 'string') return html`<p class="warning">${answer}</p>`;
  const { effect, reason, rule, why, message, steps } = answer;
  return html`<h3>${effect}${reason !== undefined && `: ${reason}`}</h3><p>${message}</p>
${rule !== undefined && html`<p>${rule} ${why ?? ''}</p>`}
${table(
  'Each check',
  ['Check', 'Outcome', 'Detail'],
  rows(steps.map(({ check, outcome, detail }) => [check, outcome, detail])),
)}`;
}
