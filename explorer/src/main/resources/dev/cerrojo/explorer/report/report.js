
(function () {
  function reveal() {
    var target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var at = target; at; at = at.parentElement) {
      if (at.tagName === 'DETAILS') at.open = true;
    }
    if (target) target.scrollIntoView();
  }
  function copied(button, text) {
    button.textContent = text;
    setTimeout(function () { button.textContent = 'Copy'; }, 1600);
  }
  function select(node) {
    var range = document.createRange();
    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }
  document.querySelectorAll('button.copy').forEach(function (button) {
    button.hidden = false;
    button.addEventListener('click', function () {
      var node = document.getElementById(button.dataset.copy);
      select(node);
      if (navigator.clipboard) {
        navigator.clipboard.writeText(node.textContent).then(
          function () { copied(button, 'Copied'); },
          function () { copied(button, 'Selected'); });
      } else {
        copied(button, document.execCommand('copy') ? 'Copied' : 'Selected');
      }
    });
  });
  addEventListener('hashchange', reveal);
  reveal();
})();
