'use strict';

// Texts are set as text, never as HTML: names and keys come from users.
const every = 1000;
const byId = id => document.getElementById(id);

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function seconds(millis) {
  return millis < 0 ? 'over' : (millis / 1000).toFixed(1) + ' s';
}

function fill(table, rows, cells) {
  const body = table.tBodies[0];
  const made = rows.map(row => {
    const line = document.createElement('tr');
    line.append(...cells(row));
    return line;
  });
  if (made.length === 0) {
    const cell = element('td', 'none', 'none');
    cell.colSpan = table.tHead.rows[0].cells.length;
    const line = document.createElement('tr');
    line.append(cell);
    made.push(line);
  }
  body.replaceChildren(...made);
}

function list(id, rows, entry) {
  byId(id).replaceChildren(...(rows.length ? rows.map(entry) : [element('li', 'none', 'none')]));
}

function waiting(row) {
  const line = element('li', row.pid + ' waits for ' + row.waitsFor.join(', ') + ', ' + seconds(row.millis));
  line.append(element('code', row.statement));
  return line;
}

function show(state) {
  fill(byId('margins'), state.margins, row => [
    element('td', row.invariant),
    element('td', row.scope),
    element('td', row.margin, row.margin <= 0 ? 'number last' : 'number')]);
  fill(byId('leases'), state.leases, row => [
    element('td', row.scope, 'mono'),
    element('td', row.holder),
    element('td', seconds(row.endsInMillis), 'number')]);
  fill(byId('claims'), state.claims, row => [
    element('td', row.store),
    element('td', row.key, 'mono'),
    element('td', seconds(row.millis), 'number')]);
  list('waiting', state.waiting, waiting);
}

async function refresh() {
  const status = byId('status');
  try {
    const answer = await fetch(location.origin + '/state/data'); // the page's own address may have a password in it
    if (!answer.ok) throw new Error('the service answered ' + answer.status);
    show(await answer.json());
    status.className = '';
    status.textContent = 'As of ' + new Date().toLocaleTimeString();
  } catch (failure) {
    status.className = 'alarm';
    status.textContent = 'Not up to date: ' + failure.message;
  }
  setTimeout(refresh, every);
}

refresh();
