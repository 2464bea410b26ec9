exports.grow = (name) => `a tall ${name}`;
