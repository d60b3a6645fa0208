// The options page's part about the toolbar's button.

import { ask } from "../shared/asking.js";
import { byID, inputByID } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { notice } from "../shared/host-notice.js";
import { text } from "../shared/texts.js";

/** Shows what is chosen. */
export async function showAppearance() {
  const { showsBadge } = await ask({ type: "appearance" });
  inputByID("badge-switch").checked = showsBadge;
}

inputByID("badge-switch").addEventListener("change", async () => {
  try {
    await ask({ type: "set-badge", isShown: inputByID("badge-switch").checked });
  } catch (error) {
    byID("notices").prepend(notice(text("rule_failed", messageOf(error)), []));
    await showAppearance();
  }
});
