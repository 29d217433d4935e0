import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Panel, readDashboard } from "../../helpers/monitoring-files.ts";

/** Form of the dashboard, which Grafana would not report, or only to a person. */
const test = suite("deploy/monitoring/dashboard.json");

const dashboard = readDashboard();
const rows = dashboard.panels.filter(({ type }) => type === "row");
const panels = dashboard.panels.filter(({ type }) => type !== "row");

/** Units that the dashboard uses, as Grafana names them; it shows the name itself for a unit that it does not have. */
const units = ["none", "short", "s", "bytes", "percentunit", "reqps", "ops", "cps", "bool_yes_no"];

test("the description begins with how the dashboard was checked", () => {
  assert.match(dashboard.description, /^[^.]*Prometheus[^.]*not opened in Grafana\./);
});

test("every panel has a title of its own, a description and a unit", () => {
  assert.is(new Set(panels.map(({ title }) => title)).size, panels.length);
  for (const { title, description = "", fieldConfig } of panels) {
    assert.match(title, /^[A-Z]/);
    assert.match(description, /^[A-Z].{20,}\.$/, title);
    assert.ok(units.includes(fieldConfig?.defaults.unit ?? ""), title);
  }
});

test("every query has a legend by instance, and the data source of the variable", () => {
  for (const { title, datasource, targets = [] } of panels) {
    assert.ok(targets.length > 0, title);
    assert.is(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
    for (const target of targets) {
      assert.match(target.legendFormat, "{{instance}}", title);
      assert.equal([datasource?.uid, target.datasource.uid], ["${datasource}", "${datasource}"]);
    }
  }
});

test("every query is limited to the chosen instances", () => {
  const isForAll = (expr: string): boolean => expr.startsWith("ALERTS");
  const unlimited = panels
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .filter((expr) => !isForAll(expr) && !expr.includes('instance=~"$instance"'));
  assert.equal(unlimited, []);
});

const overlaps = ({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test("panels have ids and space of their own, in five rows", () => {
  assert.is(rows.length, 5);
  assert.is(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  for (const panel of dashboard.panels) {
    const others = dashboard.panels.filter(({ id }) => id !== panel.id);
    assert.ok(panel.gridPos.x + panel.gridPos.w <= 24, panel.title);
    assert.equal(
      others.filter((other) => overlaps(panel, other)).map(({ title }) => title),
      [],
    );
  }
});

test.run();
