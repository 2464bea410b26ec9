# Prints what zsh offers for a line when Tab is pressed, one a line: zsh -f sub-zsh-offers.zsh <folder> <line>
# The folder has _bough in it and is written to. A shell of its own runs in a pseudo-terminal, as zsh completes nowhere else.
zmodload zsh/zpty || exit 1
export ZDOTDIR=$1 OFFERED=$1/offered
: > $OFFERED
cat > $ZDOTDIR/.zshrc <<'RC'
PROMPT='READY> '
fpath=($ZDOTDIR $fpath)
autoload -Uz compinit && compinit -u -d $ZDOTDIR/dump
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
# Everything that is offered passes compadd. Calls that only fill arrays are left alone.
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-[OAD]\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a offered
  builtin compadd -A offered "$@"
  (( $#offered )) && print -rl -- $offered >> $OFFERED
  builtin compadd "$@"
}
finish() { print DONE; exit }
comppostfuncs=(finish)
RC
local said
zpty asked zsh -d -i
zpty -r asked said '*READY> *' || exit 1
zpty -n -w asked "$2"$'\t'
zpty -r asked said '*DONE*' || exit 1
sort -u $OFFERED
