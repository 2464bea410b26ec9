throw new Error("a draft is not loaded");
