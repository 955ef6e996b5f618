/**
 * Times of a form that stand in UTC, as the clock of whoever fills it in shows them.
 *
 * @param {HTMLInputElement} zone takes the name of the browser's zone
 */
export function ownZone(zone) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!own || zone.value !== "UTC") return;
  for (const field of zone.form.querySelectorAll("input[type=datetime-local]")) {
    const at = new Date(`${field.value}Z`);
    field.value = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }
  zone.value = own;
}
