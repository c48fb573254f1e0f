import type { ServerName, ServerState, ShownQuestion } from '../../application/operation/operated-server.js';
import { keyed, since } from './console-page.js';
import { type Fragment, type Html, html } from './html.js';

type States = ReadonlyMap<ServerName, ServerState>;

const isHere = ({ ways }: ShownQuestion): boolean => ways.includes('console');

export function waitingIn(states: States): number {
  return [...states.values()].reduce((sum, { questions }) => sum + questions.filter(isHere).length, 0);
}

/** Every question that waits for a person, the oldest first. */
export function approvalsPage(states: States): Html {
  const all = [...states]
    .flatMap(([name, { server, questions }]) =>
      questions.filter(isHere).map((question) => ({ name, server, question })),
    )
    .sort((one, other) => one.question.openedAt - other.question.openedAt);
  if (all.length === 0)
    return html`<p data-key="none">No question waits for you. This page shows the next one by itself.</p>`;
  return html`${all.map(({ name, server, question }) =>
    keyed(question.id, card(name, server.workspace, question), 'article'),
  )}`;
}

function card(server: ServerName, workspace: string, question: ShownQuestion): Html {
  const {
    id,
    tool,
    effect,
    caller,
    consequences,
    rule,
    programs,
    diff,
    openedAt,
    arguments: args,
  } = question;
  return html`<h2 id="${id}">${tool}</h2>
<p>${effect}</p>
${consequences !== undefined && html`<p class="warning">${consequences}</p>`}
<dl>
<dt>Where</dt><dd>${workspace}</dd>
<dt>For</dt><dd>${caller}, asked ${since(openedAt)}</dd>
${rule !== undefined && html`<dt>Why</dt><dd>${rule.why ?? 'The policy wants a person to agree.'} <small>${rule.at}</small></dd>`}
${programs !== undefined && html`<dt>Programs</dt><dd>${programs.join(', ')}</dd>`}
</dl>
<h3>Arguments</h3>
<pre tabindex="0" aria-label="Arguments of ${tool}">${JSON.stringify(args, undefined, 2)}</pre>
${diff !== undefined && html`<h3>Change</h3><pre class="diff" tabindex="0" aria-label="Change by ${tool}">${diff.split('\n').map(diffLine)}</pre>`}
${answerForm(server, question)}`;
}

function diffLine(line: string): Html {
  const [mark = ''] = line;
  if (mark === '+') return html`<ins>${line}\n</ins>`;
  return mark === '-' ? html`<del>${line}\n</del>` : html`${line}\n`;
}

function answerForm(server: ServerName, { id, phrase, rememberMs, tool }: ShownQuestion): Html {
  return html`<form method="post" action="answer" aria-labelledby="${id}">
<input type="hidden" name="server" value="${server}"><input type="hidden" name="id" value="${id}">
${phrase !== undefined && html`<p><label>Type exactly: <code>${phrase}</code><br><input name="typed" autocomplete="off" spellcheck="false"></label></p>`}
<p class="buttons"><button name="answer" value="once" class="allow">Allow once</button>
${rememberMs !== undefined && html`<button name="answer" value="session" class="allow">Allow for ${lasting(rememberMs)}</button>`}</p>
<p class="deny"><label>What the agent is told <input name="reason" maxlength="500" autocomplete="off"></label>
<button name="answer" value="deny" aria-label="Deny ${tool}">Deny</button></p>
</form>`;
}

/** A whole session is remembered as a day: longer than sessions last. */
const SESSION_MS = 24 * 60 * 60_000;

function lasting(ms: number): string {
  return ms >= SESSION_MS ? 'the session' : `${Math.max(1, Math.round(ms / 60_000))} min`;
}

export function rows(cells: readonly (readonly Fragment[])[]): Html {
  return html`${cells.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}`;
}

/** Scrolls by itself where it is wider than the page. */
export function table(caption: string, head: readonly string[], body: Html): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${head.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${body}</tbody></table></div>`;
}
