/** One style for all pages; light or dark as the system says. Colours keep a contrast of 4.5 to 1 at least. */
export const STYLE = `:root{color-scheme:light dark;--ground:#fff;--text:#1c2430;--soft:#56606e;--line:#d5dae1;--card:#f6f8fa;--accent:#0b5cad;--allow:#19692c;--deny:#a31621;--warn:#8a4b00}
@media (prefers-color-scheme:dark){:root{--ground:#14181d;--text:#e6eaf0;--soft:#a3adba;--line:#343c47;--card:#1c222a;--accent:#7db8f5;--allow:#6fd08c;--deny:#ff9aa2;--warn:#f5bf6b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:center;padding:.6rem 1rem;border-bottom:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:0;padding:0}
a{color:var(--accent)}
nav a{display:inline-block;padding:.35rem 0;text-decoration:none}
nav a[aria-current]{font-weight:600;border-bottom:2px solid}
.count{background:var(--deny);color:var(--ground);border-radius:1em;padding:0 .5em;font-size:.85em}
main{max-width:60rem;margin:0 auto;padding:1rem}
main:focus{outline:none}
h1{font-size:1.5rem;margin:.2rem 0 .8rem}h2{font-size:1.1rem;margin:.2rem 0;overflow-wrap:anywhere}h3{font-size:1rem;margin:.8rem 0 .2rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;margin:0 0 1rem}
small,caption,dt{color:var(--soft)}
caption{text-align:left}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.5rem 0}dd{margin:0;overflow-wrap:anywhere}
pre{background:var(--ground);border:1px solid var(--line);border-radius:6px;padding:.5rem;margin:.3rem 0;max-height:24rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
ins,del{text-decoration:none}ins{color:var(--allow)}del{color:var(--deny)}
code.line{display:block;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
ul.plain{list-style:none;padding:0;margin:0}ul.plain li{padding:.4rem 0;border-bottom:1px solid var(--line)}
input,select,textarea,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--soft);border-radius:6px;padding:.35rem .6rem;max-width:100%}
textarea{width:100%}
button{cursor:pointer;min-height:2.5rem}
button.allow{color:var(--allow);border-color:var(--allow)}
button.stop,.deny button{color:var(--deny);border-color:var(--deny)}
.filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin-bottom:.5rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.warning{color:var(--warn);font-weight:600}
#said:empty{display:none}
#said{border-left:4px solid var(--accent);padding-left:.6rem}
.skip{position:absolute;left:-99rem}.skip:focus{left:.5rem;top:.5rem;background:var(--ground);padding:.5rem}
svg{display:block;width:100%;min-width:30rem;max-width:44rem}svg text{fill:var(--text);font:14px system-ui,sans-serif}svg rect{fill:var(--accent)}
`;

/** Exchanges what has changed, tells how long ago things were, and leaves alone what somebody is typing in. */
export const SCRIPT = `'use strict';
const live = document.getElementById('live');
const page = location.pathname.split('/').pop();
function ago() {
  for (const time of document.querySelectorAll('time[data-since]')) {
    const seconds = Math.max(0, Math.round((Date.now() - Number(time.dataset.since)) / 1000));
    time.textContent = seconds < 60 ? seconds + ' s ago' : seconds < 3600 ? Math.round(seconds / 60) + ' min ago' : time.title.slice(0, 16).replace('T', ' ');
  }
}
function exchange(fresh) {
  const old = new Map([...live.querySelectorAll(':scope > [data-key]')].map((part) => [part.dataset.key, part]));
  let before = null;
  for (const part of fresh.querySelectorAll(':scope > [data-key]')) {
    let kept = old.get(part.dataset.key);
    old.delete(part.dataset.key);
    if (!kept) kept = part;
    else if (kept.dataset.v !== part.dataset.v && !kept.contains(document.activeElement)) {
      kept.replaceWith(part);
      kept = part;
    }
    const next = before ? before.nextElementSibling : live.firstElementChild;
    if (next !== kept) live.insertBefore(kept, next);
    before = kept;
  }
  for (const gone of old.values()) {
    const focused = gone.contains(document.activeElement);
    gone.remove();
    if (focused) document.getElementById('main').focus();
  }
  ago();
}
async function refresh() {
  const answer = await fetch(page + '?part=live', { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  exchange(new DOMParser().parseFromString('<div>' + (await answer.text()) + '</div>', 'text/html').body.firstElementChild);
}
let busy = false, again = false;
async function follow() {
  if (busy) { again = true; return; }
  busy = true;
  try { await refresh(); } catch { /* The next message tries again. */ }
  busy = false;
  if (again) { again = false; follow(); }
}
const stream = new EventSource('events');
stream.onmessage = ({ data }) => {
  const { waiting } = JSON.parse(data);
  const count = document.getElementById('waiting');
  const more = waiting > Number(count.textContent);
  count.textContent = waiting;
  count.hidden = waiting === 0;
  if (more) document.getElementById('said').textContent = waiting === 1 ? 'One question waits for you.' : waiting + ' questions wait for you.';
  if (page === 'now' || page === 'approvals') follow();
};
stream.onerror = () => {
  if (stream.readyState === EventSource.CLOSED) document.getElementById('said').textContent = 'The console has ended. Start it again with castellan console.';
};
ago();
setInterval(ago, 1000);
`;
