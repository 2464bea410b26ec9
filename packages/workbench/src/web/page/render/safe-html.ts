/** Sanitizes HTML before it becomes part of the page. Its source is already safe; this is a second barrier. */
import DOMPurify from "dompurify";
import type { Html } from "../../html/html.js";

const CONFIG = {
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:|#|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
  ADD_ATTR: ["target", "data-block", "data-more", "tabindex"],
  FORBID_TAGS: ["style", "form", "input", "textarea", "select", "svg", "math", "iframe", "video", "audio", "template"],
  FORBID_ATTR: ["style", "id", "name", "srcset"],
  RETURN_TRUSTED_TYPE: false,
} as const;

export function safeHtml({ html }: Html): string {
  return DOMPurify.sanitize(html, {
    ...CONFIG,
    ADD_ATTR: [...CONFIG.ADD_ATTR],
    FORBID_TAGS: [...CONFIG.FORBID_TAGS],
    FORBID_ATTR: [...CONFIG.FORBID_ATTR],
  });
}
