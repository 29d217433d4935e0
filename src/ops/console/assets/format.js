/** Formats numbers, durations, sizes and times for display. */

const integer = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export const formatNumber = (value) => integer.format(value);

export const formatCount = (value, singular, plural = `${singular}s`) =>
  `${formatNumber(value)} ${value === 1 ? singular : plural}`;

/** @param {number} seconds */
export const formatDuration = (seconds) => {
  if (seconds < 10) return `${tenths.format(seconds)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${tenths.format(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
};

/** @param {number} bytes */
export const formatSize = (bytes) => {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1);
  return `${tenths.format(bytes / 1000 ** power)} ${units[power]}`;
};

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Formats the time of day. */
export const formatTime = (instant) => clock.format(new Date(instant));

/** Formats date and time. */
export const formatDate = (instant) => date.format(new Date(instant));

export const secondsSince = (instant) => Math.max(0, (Date.now() - new Date(instant)) / 1000);
